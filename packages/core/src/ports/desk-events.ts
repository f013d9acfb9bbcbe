import type { Desk, DeskEvent, Watch, WatchFilter } from "./desk.ts";
import type { Signal } from "./signal.ts";

/** So many events are kept for a reader who is slower than they come; past it the reader is given a new snapshot in their place. */
const maxKept = 1_000;

/**
 * What a desk's watcher is told, to be read with `for await`: a snapshot first, then each change. Ends when the loop is left or the signal is aborted. A
 * reader who falls behind by more than 1,000 events is given a new snapshot in their place. Throws what `Desk.watch` throws.
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
