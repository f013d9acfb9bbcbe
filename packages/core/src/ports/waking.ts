import type { SessionRecord } from "../session/record.ts";
import type { Outlook } from "./desk.ts";

/** Who can wake agents: a hub, for the clients of its machine. */
export interface Waker {
  outlook(session: SessionRecord): Promise<Pick<Outlook, "client" | "next">>;
  /** Resolves when it has begun, with false if nothing was left to do. Throws `VALIDATION`. */
  wake(session: SessionRecord): Promise<boolean>;
  /** The end of what the agent of this session printed when it was resumed in the background; undefined if it was not. */
  output?(sessionId: string): string | undefined;
}

/** What has begun: only its holder may wake the agent. */
export interface BegunWaking {
  /** Names it, for good. */
  id: string;
  /** The session as it was when the waking began. */
  session: SessionRecord;
  /** Whether no call of the agent has taken it since. Ask right before acting. */
  isOurs(): boolean;
  /** Says how it went; `delivered`: the agent was given the outcome itself. Rejects with `STORE_UNAVAILABLE`. */
  end(how: { why?: string | undefined; delivered?: boolean }): Promise<void>;
  /** Nothing was done: it is as if it had not begun. Rejects with `STORE_UNAVAILABLE`. */
  drop(): Promise<void>;
}
