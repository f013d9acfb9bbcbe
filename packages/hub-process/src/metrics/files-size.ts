import type { Clock } from "@askbox/core";
import { type Blobs, isFileId } from "@askbox/core/stores";

/** How long a size counts as current, in ms: it takes a list of all files. */
const currentFor = 60_000;

/** The bytes that all stored files take, counted at most once a minute; undefined while the store is away. */
export function filesSize(blobs: Pick<Blobs, "list" | "sharesEqual">, clock: Pick<Clock, "monotonic">): () => Promise<number | undefined> {
  let known: { at: number; bytes: Promise<number | undefined> } | undefined;
  const count = () =>
    blobs.list().then(
      (files) => {
        const sizes = new Map(
          files.map(({ sessionId, id, size }) => [blobs.sharesEqual && isFileId(id) ? id : `${sessionId} ${id}`, size]),
        );
        return [...sizes.values()].reduce((sum, size) => sum + size, 0);
      },
      () => {
        known = undefined;
        return undefined;
      },
    );
  return () => {
    const at = clock.monotonic();
    if (known === undefined || at - known.at >= currentFor) known = { at, bytes: count() };
    return known.bytes;
  };
}
