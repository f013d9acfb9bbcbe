import type { Clock, Desk, DeskEvent, Log, SharedState } from "@askbox/core";
import type { AttentionRules } from "./attention.ts";
import type { ButtonPressResult } from "./button-press/button-press.ts";
import type { AttentionSettings, LocalChannel } from "./channels/channel.ts";
import type { AttentionMode, Target } from "./channels/index.ts";
import type { Fetch } from "./channels/post.ts";
import type { KeptPush } from "./push/subscription.ts";
import type { VapidKey } from "./push/web-push.ts";
import type { DeliveryMeter, QueueStatus } from "./queue.ts";
import type { Environment, Runner } from "./run.ts";
import type { TestResult } from "./test-session.ts";

export interface NotifyOptions {
  /** Sees every session of the inbox. */
  desk: Pick<Desk, "watch" | "get">;
  clock: Clock;
  log: Log;
  /**
   * Stores what was announced to people, so that a restarted hub neither repeats an announcement nor skips one. Without it, pending sessions
   * that an earlier hub may have announced are ignored until their time has half passed.
   */
  announced?: string | undefined;
  /** Settings for some of the questions, and quiet hours. Default: none. */
  rules?: AttentionRules | undefined;
  /** Milliseconds in which what models have denied is told together. Default: 0, it is not told. */
  denialDigest?: number | undefined;
  /** Told of each delivery, by the name of its channel. */
  meter?: DeliveryMeter | undefined;
  local?: LocalOptions | undefined;
  remote?: RemoteOptions | undefined;
}

/** How the person at this machine is notified. */
export interface LocalOptions {
  /** For questions for which no rule sets another one. */
  mode: AttentionMode;
  settings: AttentionSettings;
  /** Whether a surface is connected on which a person would notice a question. */
  isSomebodyThere(): boolean;
  /** Whether a page of the web inbox is connected. */
  isPageOpen(): boolean;
  /** A link that opens the inbox; requested when a browser is opened. */
  inboxLink(): Promise<string>;
  /** The command line that runs `askbox`. */
  askboxCommand: readonly string[];
  env: Environment;
  platform: NodeJS.Platform;
  /** Starts processes; real ones by default. */
  run?: Runner | undefined;
  /** The channel of a mode; by default, the one in the table. */
  channelOf?: ((mode: AttentionMode) => LocalChannel) | undefined;
}

/** How programs and services elsewhere are notified. */
export interface RemoteOptions {
  targets: readonly Target[];
  /** Stores which events of programs were created and which deliveries are pending. Without it, a restart loses them. */
  file?: string | undefined;
  /** Whether this hub sends the event. If several hubs share an inbox, only one of them returns true. Default: always. */
  claim?: ((eventId: string) => Promise<boolean>) | undefined;
  /** A desk for the answers of a person by this name. Without it, nobody answers from elsewhere. */
  answerAs?: ((name: string) => Pick<Desk, "answer" | "get">) | undefined;
  /** Stores which buttons people elsewhere were given. Without it, those do nothing after a restart. */
  buttonPresses?: string | undefined;
  /** What several hubs share: each then takes a press of any button. */
  shared?: SharedState | undefined;
  /** Browsers that get pushes. */
  push?: PushOptions | undefined;
  fetch?: Fetch | undefined;
  random?: (() => number) | undefined;
}

/** A target's statistics since the hub started. */
export interface TargetStatus extends QueueStatus {
  /** Without secrets: no user, no query, and only the first letters of a path. */
  url: string;
  kind: Target["kind"];
}

export interface Notify {
  /** Whether it watches the desk: there is somebody to notify. */
  isWatching: boolean;
  status(): TargetStatus[];
  /** Undefined if no browser can get pushes. */
  push: Push | undefined;
  /** Stops watching, ends every process but a browser, and aborts all requests; undelivered events are stored for the next start. */
  close(): Promise<void>;
}

/** Follows a desk's events. */
export interface Follower {
  onEvent(event: DeskEvent): void;
  close(): Promise<void>;
}

/** A logged-in browser that gets pushes. */
export interface PushBrowser {
  /** The id of its login. */
  id: string;
  /** Such as "Firefox on Linux". */
  name: string;
  /** Who uses it, if that is known. */
  person?: string | undefined;
  push: KeptPush;
}

/** How browsers get pushes. */
export interface PushOptions {
  key(): Promise<VapidKey>;
  /** Those that are logged in now. */
  browsers(): readonly PushBrowser[];
  /** Ends the pushes to a browser whose subscription is gone, unless it has another one by now. */
  forget(browser: PushBrowser): Promise<void>;
  /** A desk for the answers of a browser's person. */
  answerAs(browser: PushBrowser): Pick<Desk, "answer" | "get">;
  /** Whether titles and questions are sent. Without them, there are no buttons either. */
  showText: boolean;
}

/** Statistics since the hub started. */
export type PushStatus = QueueStatus & {
  /** That get pushes. */
  browsers: number;
};

/** Pushes of a running hub. */
export interface Push {
  status(): PushStatus;
  /** Answers with the button of a notification. Rejects if that can be tried again. */
  press(from: string, token: string): Promise<ButtonPressResult>;
  /** Sends a test to each browser, and waits for the button presses; at most `timeout` ms. */
  test(timeout: number, signal: AbortSignal): Promise<TestResult[]>;
}
