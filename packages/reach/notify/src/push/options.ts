import type { Desk } from "@askbox/core";
import type { QueueStatus } from "../queue/queue.ts";
import type { TestResult } from "../test-session.ts";
import type { KeptPush } from "./subscription.ts";
import type { VapidKey } from "./vapid.ts";

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

/** What came of a press. */
export type ButtonPressResult =
  | { status: "taken"; isRepeated: boolean }
  /** `why`: one sentence for the person. */
  | { status: "refused"; why: string };

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
