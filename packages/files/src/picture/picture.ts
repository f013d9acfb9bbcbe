import { bytesText } from "@askbox/core/questions";
import type { BlobKey, Blobs } from "@askbox/core/stores";
import { storedBytes, storedType } from "../checked-files.ts";
import { isPicture } from "../file-type.ts";
import { inTurn } from "../in-turn.ts";
import { maxPixels } from "../limits.ts";
import { dimensionsOf } from "./dimensions.ts";
import { withoutMetadata } from "./metadata.ts";
import type { ReducedType } from "./reduce.ts";

/** As clients pass pictures on untouched: the longest side in pixels, and bytes. */
const [longestSide, mostBytes] = [2_000, 450_000];
/** As a terminal gets them, in bytes. */
const mostOfTerminal = 1_000_000;

/** A picture as an agent's client passes it on or a terminal shows it, or a sentence that says why there is none. */
export type ShownPicture = { data: Uint8Array; mimeType: string } | string;

/**
 * A stored file as a picture without place and camera: for an agent as it is if it is small, else reduced to a JPEG; for a terminal always a
 * new PNG of its pixels. The original stays. Large ones are loaded one at a time.
 */
export async function shownPicture(blobs: Blobs, key: BlobKey, as: ReducedType = "image/jpeg"): Promise<ShownPicture> {
  const stored = await blobs.stat(key);
  if (stored === undefined) return "It is no longer stored.";
  const type = await storedType(blobs, key);
  if (!isPicture(type)) return "It is not a picture that can be shown.";
  const show = () => shown(blobs, key, { type, as });
  return stored.size <= mostBytes ? show() : inTurn("picture", show);
}

async function shown(blobs: Blobs, key: BlobKey, { type, as }: { type: string; as: ReducedType }): Promise<ShownPicture> {
  const bytes = await storedBytes(blobs, key);
  const size = dimensionsOf(bytes, type);
  if (size === undefined) return "The picture is damaged.";
  const pixels = size.width * size.height;
  if (pixels > maxPixels) return `It has ${Math.round(pixels / 1_000_000)} megapixels, which is too much to show.`;
  const plain = withoutMetadata(bytes, type);
  if (plain === undefined) return "The picture is damaged.";
  if (as === "image/jpeg" && plain.length <= mostBytes && Math.max(size.width, size.height) <= longestSide)
    return { data: plain, mimeType: type };
  if (!reducible.has(type) && as === "image/png") return "Only PNG and JPEG can be shown in a terminal.";
  if (!reducible.has(type)) return `It is too large to show as it is: ${size.width} × ${size.height}, ${bytesText(bytes.length)}.`;
  const { reduceInWorker } = await import("./reduce.ts");
  return reduceInWorker({ bytes, type, as, most: as === "image/png" ? mostOfTerminal : mostBytes }).then(
    (data) => ({ data, mimeType: as }),
    () => "The picture cannot be reduced to be shown.",
  );
}

const reducible = new Set(["image/png", "image/jpeg"]);
