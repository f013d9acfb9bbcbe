import { decodePng, fitted } from "@askbox/files/pixels";
import { image2sixel } from "sixel";
import type { PicturePlace } from "./picture-signs.ts";

/** Characters of a picture; one with more is made smaller. */
const most = 2_000_000;
const colors = 256;

/** Draws a PNG in a place. Throws if it can't be decoded. A terminal doesn't scale sixels, so `cell` is the size of its cells in pixels. */
export function sixelSequence(
  png: Uint8Array,
  { row, column, columns, rows }: PicturePlace,
  cell: { width: number; height: number },
): string {
  let pixels = decodePng(png);
  const room = Math.min((columns * cell.width) / pixels.width, (rows * cell.height) / pixels.height);
  let longest = Math.max(1, Math.floor(Math.max(pixels.width, pixels.height) * Math.min(1, room)));
  for (;;) {
    pixels = fitted(pixels, longest);
    const sixels = image2sixel(pixels.data, pixels.width, pixels.height, colors);
    if (sixels.length <= most) return `\u001b[${row};${column}H${sixels}`;
    longest = Math.floor(longest * 0.7);
  }
}
