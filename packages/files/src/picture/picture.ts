import type { BlobKey, Blobs } from "@askbox/core/stores";
import { storedBytes, storedType } from "../checked-files.ts";
import { isPicture } from "../name-and-type.ts";
import { inTurn, sharedWork, type Wish } from "../turns.ts";
import { asItIs, mostBytes, type ReducedType, type ShownPicture } from "./picture-bytes.ts";

export type { ShownPicture } from "./picture-bytes.ts";

/** Shows stored files as pictures. */
export type ShowPicture = (key: BlobKey, as?: ReducedType, wish?: Wish) => Promise<ShownPicture>;

/**
 * Shows a stored file as a picture without place and camera: for an agent as it is if it is small, else reduced to a JPEG; for a terminal always
 * as a new PNG of its pixels. The original stays. What is not small is read in a thread of its own, one at a time and in turn between those who
 * want one; it is kept for the next who wants it, and given up when nobody waits any more.
 */
export function pictures(blobs: Blobs): ShowPicture {
  const work = sharedWork<ShownPicture>((picture) => (typeof picture === "string" ? picture.length : picture.data.length));
  return async (key, as = "image/jpeg", { owner = "", signal } = {}) => {
    const stored = await blobs.stat(key);
    if (stored === undefined) return "It is no longer stored.";
    const type = await storedType(blobs, key);
    if (!isPicture(type)) return "It is not a picture that can be shown.";
    if (stored.size <= mostBytes) {
      const plain = asItIs(await storedBytes(blobs, key), type, as);
      if (plain !== undefined) return plain;
    }
    return work({
      name: `${key.id} ${as}`,
      owner,
      signal,
      begin: (given) =>
        inTurn(
          async () => {
            const { showInWorker } = await import("./reduce.ts");
            return showInWorker({ bytes: await storedBytes(blobs, key), type, as }, given).catch((error: unknown) => {
              if (given.aborted) throw error;
              return "The picture cannot be reduced to be shown.";
            });
          },
          { owner, signal: given },
        ),
    });
  };
}
