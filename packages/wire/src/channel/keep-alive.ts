import type { Clock } from "@askbox/core";

export interface KeepAliveOptions {
  clock: Clock;
  /** Milliseconds without a message after which the other side counts as dead. */
  idleTimeout: number;
  ping(n: number): void;
  dead(): void;
}

export interface KeepAlive {
  /** Call when anything arrives from the other side. */
  onActivity(): void;
  stop(): void;
}

/** Default time without a message, in milliseconds. */
export const DEFAULT_IDLE_TIMEOUT = 30_000;
const parts = 3;

/**
 * Pings a quiet peer, and reports it dead after three thirds of `silence` without a message. It counts quiet thirds rather than time, so
 * that a process that was suspended for an hour pings once more before it drops a healthy peer.
 */
export function keepAlive({ clock, idleTimeout, ping, dead }: KeepAliveOptions): KeepAlive {
  let silentParts = 0;
  let count = 0;
  const arm = () => clock.setTimer(idleTimeout / parts, tick);
  const tick = () => {
    if (silentParts === parts - 1) return dead();
    silentParts += 1;
    count += 1;
    cancel = arm();
    ping(count);
  };
  let cancel = arm();
  return {
    onActivity() {
      silentParts = 0;
    },
    stop: () => cancel(),
  };
}
