import type { Clock, Log, SessionView } from "@askbox/core";
import type * as z from "zod";
import type { EventType, NotifyEvent } from "../event.ts";
import type { WarnOnce } from "../failures.ts";
import type { Environment, Runner } from "../run.ts";
import type { Outgoing } from "./post.ts";

/**
 * A way to reach the person at this machine; the `attention` setting chooses one. To add one, add a file here, a line in `index.ts`, and a
 * line in `docs/attention.md`.
 */
export interface LocalChannel {
  /** Sessions that it announces at once; others wait until it is free. Default: any number. */
  atOnce?: number;
  /** Whether it shows a message, rather than the inbox. */
  isMessage?: boolean;
  /** Its sender; absent if nobody is notified. */
  open?(context: LocalContext): LocalSender;
  /** Why it does not work here: one sentence per problem, with how to fix it. */
  problems(options: ProblemsOptions): string[] | Promise<string[]>;
}

/** Announces sessions, at least one, and resolves when that is done or failed, which it logs. The signal ends what it has running. */
export type LocalSender = (sessions: readonly SessionView[], signal: AbortSignal) => Promise<void>;

/** The environment in which a local channel runs. */
export interface ProblemsOptions {
  settings: AttentionSettings;
  env: Environment;
  platform: NodeJS.Platform;
  run: Runner;
}

export interface AttentionSettings {
  /** Whether titles and questions may be shown where anybody can read them; default true. */
  showText?: boolean | undefined;
  /** The person's own command line, for `command`. */
  command?: string | undefined;
}

export interface LocalContext extends ProblemsOptions {
  clock: Clock;
  /** Whether a page of the web inbox is connected. */
  isPageOpen(): boolean;
  /** A link that opens the inbox; new with each call. */
  inboxLink(): Promise<string>;
  /** The command line that runs `askbox`. */
  askboxCommand: readonly string[];
  /** These sessions are announced by something that can be withdrawn, and is when they are settled. */
  onShown(sessions: readonly SessionView[], withdraw: () => Promise<void>): void;
  log: Log;
  warnOnce: WarnOnce;
}

/**
 * A way to reach a program or a service elsewhere, by a POST for each event: a `kind` of an entry of the config's `webhooks`. To add one, add
 * a file here, a line in `index.ts`, and its part of `docs/webhooks.md`.
 */
export interface RemoteChannel<Settings extends object = object> {
  /** Its name with an article, for sentences. */
  noun: string;
  /** What the config's schema says about it. */
  words: { sends: string; url?: string; events: string; credential: string };
  /** Who reads it: a program gets every event at once; a person is told what nobody has seen, and how it ended. */
  reader: "person" | "program";
  /** Its own settings. */
  fields: z.ZodRawShape;
  /** The secret setting, which `secretFile` can replace. */
  credential: string;
  /** What is wrong with a secret, continuing a sentence that starts with the entry; undefined if it is valid. */
  credentialProblem?(secret: string): string | undefined;
  /** The events that are sent by default. */
  events: readonly EventType[];
  /** What is wrong with a URL; undefined if it is valid. */
  urlProblem?(url: URL): string | undefined;
  /** What is wrong with its own settings; undefined if they are valid. */
  settingsProblem?(target: { url: string } & Settings): string | undefined;
  /** How a person answers with a press, where they can. */
  answers?: ButtonWay<Settings>;
  /** `handed`: the buttons of a question, if it has any. */
  request(target: TargetBase & Settings, event: NotifyEvent, now: number, handed?: HandedButtons): Outgoing;
}

/** Which buttons a message can have there. */
export interface ButtonOptions {
  /** The maximum number of buttons. */
  max: number;
  /** The maximum length of the body, in bytes of UTF-8, and of a label, in characters. */
  maxBody: number;
  maxLabel: number;
  /** The maximum number of lines of the body; default any. */
  maxLines?: number;
  /** Whether the body lists the labels of options that have nothing else, too; default true. */
  listsLabels?: boolean;
  /** Whether an action may be allowed from here. */
  allow: boolean;
}

/** The buttons of a channel's messages, and how the hub reads what is pressed by an outgoing stream. */
export interface ButtonWay<Settings extends object = object> extends Omit<ButtonOptions, "allow"> {
  /** Whether an action may be allowed from there, and who answers; undefined if the target's messages have no buttons. */
  of(target: TargetBase & Settings): { allow: boolean; name: string } | undefined;
  /** The request for every button press since the one with this id; all that the server has if it is undefined. */
  stream(target: TargetBase & Settings, since: string | undefined): { url: string; headers: Record<string, string> };
  /** Reads one line of the stream; undefined if it is no message. */
  read(line: string): { id: string; text: string } | undefined;
}

/** Buttons with their tokens. */
export interface HandedButtons {
  /** The whole question; undefined if it is too long for that. */
  whole?: string | undefined;
  /** The whole action, if it is too long for that. */
  file?: string | undefined;
  buttons: readonly { label: string; token: string }[];
}

/** The settings that all remote channels share. */
export interface TargetBase {
  /** http or https; redirects are not followed. */
  url: string;
  events: readonly EventType[];
  /** Whether to send titles, questions and answers; otherwise only who asked and the outcome. */
  text: boolean;
  /** Seconds that people have to see a question before it is sent to a person here. */
  after: number;
  /** Limits the events to one project, agent or machine. */
  project?: string | undefined;
  machine?: string | undefined;
  agentId?: string | undefined;
  /** The inbox URL for the receiver, such as `https://askbox.example`; the link to the session's page is derived from it. */
  inbox?: string | undefined;
}

/** The page of an event in the inbox: its session's, or of several denials the list that they are in. */
export function pathOf({ type, session, denials = 1 }: NotifyEvent): string {
  return denials > 1 ? "/" : `/${type === "session.settled" ? "history" : "s"}/${encodeURIComponent(session.id)}`;
}

/** That page, if the target has an inbox URL. */
export function pageOf({ inbox }: TargetBase, event: NotifyEvent): string | undefined {
  // linear: a run is only tried from its first character.
  return inbox === undefined ? undefined : `${inbox.replace(/(?<!\/)\/+$/, "")}${pathOf(event)}`;
}
