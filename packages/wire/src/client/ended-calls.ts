import type { Clock } from "@askbox/core";
import type { ToolCallEnd } from "../protocol/schemas.ts";

/** How long the end of a call waits for the acknowledgement of its result, in ms. */
const held = 1_000;
/** The most that go with one acknowledgement. */
const most = 100;

/** Calls that have ended and that the hub doesn't know of. */
export interface EndedCalls {
  add(end: ToolCallEnd): void;
  /** Those that go with an acknowledgement now; they are sent once. */
  take(): ToolCallEnd[];
  /** Sends them by themselves. */
  flush(): void;
}

export function endedCalls(clock: Pick<Clock, "setTimer">, send: (end: ToolCallEnd) => void): EndedCalls {
  const ended: ToolCallEnd[] = [];
  let cancel = () => {};
  const take = () => ended.splice(0);
  const flush = () => take().forEach(send);
  return {
    add(end) {
      if (ended.push(end) === most) flush();
      cancel();
      cancel = clock.setTimer(held, flush);
    },
    take,
    flush,
  };
}
