import type { CancelTimer, Clock } from "@askbox/core";
import type { CallContext } from "./call-context.ts";

/** Shows a client that its call is still running. */
export interface Heartbeat {
  /** Sends this message now, and with every heartbeat from now on. */
  say(message: string): void;
  stop(): void;
}

/** Milliseconds. askbox promises at least one every 15 s; clients that need progress time out after 60 s without it. */
const interval = 10_000;

/** For a caller that takes no progress: nothing is sent. */
export const noHeartbeat: Heartbeat = Object.freeze({ say: () => {}, stop: () => {} });

/**
 * Sends progress at once and then every 10 s, if the client asked for it. MCP requires `progress` to increase with each notification; the
 * number has no other meaning.
 */
export function heartbeatOf(call: Pick<CallContext, "progressToken" | "progress">, clock: Clock, message: string): Heartbeat {
  if (call.progressToken === undefined) return noHeartbeat;
  let progress = 0;
  let current = message;
  let cancel: CancelTimer;
  const beat = () => {
    progress += 1;
    // A closed stream accepts no more progress, and the call has been aborted by then.
    call.progress(progress, current).catch(() => {});
    cancel = clock.setTimer(interval, beat);
  };
  beat();
  return {
    say(next) {
      cancel();
      current = next;
      beat();
    },
    stop: () => cancel(),
  };
}
