import type { CancelTimer, Clock } from "@askbox/core";

/** Tells a client that its call is alive. */
export interface Heartbeat {
  /** Says so now, and from now on with this message. */
  say(message: string): void;
  stop(): void;
}

/** Milliseconds. At least every 15 s is promised; clients that time out without progress allow 60 s. */
const interval = 10_000;

export const noHeartbeat: Heartbeat = Object.freeze({ say: () => {}, stop: () => {} });

/** Sends progress at once and then every 10 s. MCP wants `progress` to grow with each notification; the number means nothing else. */
export function startHeartbeat(clock: Clock, message: string, send: (progress: number, message: string) => void): Heartbeat {
  let progress = 0;
  let current = message;
  let cancel: CancelTimer;
  const beat = () => {
    progress += 1;
    send(progress, current);
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
