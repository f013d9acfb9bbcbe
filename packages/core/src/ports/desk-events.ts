import type { Desk, DeskEvent, Watch, WatchFilter } from "./desk.ts";
import type { Signal } from "./signal.ts";

/** How many events are buffered for a slow reader; beyond that the reader gets a new snapshot instead. */
const maxKept = 1_000;

/**
 * The events of a desk as an async iterable: a snapshot first, then each change. Ends when you leave the loop or abort the signal. A reader
 * that falls behind by more than 1,000 events gets a new snapshot instead. Throws what `Desk.watch` throws.
 *
 * @example
 * ```ts
 * import { type Desk, deskEvents } from "@askbox/core";
 *
 * export async function report(desk: Desk) {
 *   for await (const event of deskEvents(desk)) if (event.type === "session") console.log(event.session.status);
 * }
 * ```
 */
export async function* deskEvents(
  desk: Pick<Desk, "watch">,
  filter: WatchFilter = {},
  { signal }: { signal?: Signal | undefined } = {},
): AsyncGenerator<DeskEvent, void, undefined> {
  let kept: DeskEvent[] = [];
  let missed = false;
  let wake = () => {};
  const listener = (event: DeskEvent) => {
    if (kept.length < maxKept) kept.push(event);
    else missed = true;
    wake();
  };
  const onAbort = () => wake();
  signal?.addEventListener("abort", onAbort);
  let watch: Watch | undefined;
  try {
    while (signal?.aborted !== true) {
      if (watch === undefined || missed) {
        watch?.close();
        kept = [];
        missed = false;
        watch = await desk.watch(filter, listener);
      }
      const event = kept.shift();
      if (event !== undefined) yield event;
      else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    watch?.close();
    signal?.removeEventListener("abort", onAbort);
  }
}
