import type { Clock } from "@askbox/core";

export interface Watchdog {
  /** Something was heard. */
  sign(): void;
  stop(): void;
}

/** Asks for a sign of life every `every` ms, and reports a silence: nothing was heard since it asked last. */
export function watchdog(clock: Clock, { every, ask, onSilent }: { every: number; ask(): void; onSilent(): void }): Watchdog {
  let isHeard = true;
  let cancel = () => {};
  const look = () => {
    if (!isHeard) return onSilent();
    isHeard = false;
    cancel = clock.setTimer(every, look);
    ask();
  };
  cancel = clock.setTimer(every, look);
  return {
    sign() {
      isHeard = true;
    },
    stop: () => cancel(),
  };
}
