import { bytesText } from "@askbox/core/questions";
import { decodingRoom } from "../limits.ts";
import { decodedBytes, dimensionsOf } from "./dimensions.ts";
import { withoutMetadata } from "./metadata.ts";

/** As clients pass pictures on untouched: the longest side in pixels, and bytes. */
const longestSide = 2_000;
export const mostBytes = 450_000;

/** What a reduced picture can be. */
export type ReducedType = "image/jpeg" | "image/png";

/** A picture as an agent's client passes it on or a terminal shows it, or a sentence that says why there is none. */
export type ShownPicture = { data: Uint8Array; mimeType: string } | string;

/** The picture as it is but for its metadata, or a sentence that says why it can't be shown; undefined if it has to be reduced, which there is `room` for in bytes. */
export function asItIs(bytes: Uint8Array, type: string, as: ReducedType, room = decodingRoom()): ShownPicture | undefined {
  const size = dimensionsOf(bytes, type);
  const plain = size && withoutMetadata(bytes, type);
  if (size === undefined || plain === undefined) return "The picture is damaged.";
  const isSmall = plain.length <= mostBytes && Math.max(size.width, size.height) <= longestSide;
  if (as === "image/jpeg" && isSmall) return { data: plain, mimeType: type };
  if (!reducible.has(type) && as === "image/png") return "Only PNG and JPEG can be shown in a terminal.";
  if (!reducible.has(type)) return `It is too large to show as it is: ${size.width} × ${size.height}, ${bytesText(bytes.length)}.`;
  if (decodedBytes(bytes, type, size) <= room) return undefined;
  return `It has ${Math.round((size.width * size.height) / 1_000_000)} megapixels, which is too much to show.`;
}

const reducible = new Set(["image/png", "image/jpeg"]);
