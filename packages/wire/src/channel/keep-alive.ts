import type { Clock } from "@askbox/core";

export interface KeepAliveOptions {
  clock: Clock;
  /** Milliseconds of silence after which the other side counts as dead. */
  idleTimeout: number;
  ping(n: number): void;
  dead(): void;
}

export interface KeepAlive {
  /** Something came from the other side. */
  onActivity(): void;
  stop(): void;
}

/** How long a silent peer is taken to be alive, in milliseconds. */
export const DEFAULT_IDLE_TIMEOUT = 30_000;
const parts = 3;

/**
 * Asks a silent peer for a sign of life, and gives it up after three thirds of `silence` without one. It counts silent thirds, not time,
 * so that a process that was suspended for an hour asks once more before it gives up a peer that is well.
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
