import type { Dimensions } from "./dimensions.ts";

/** Pixels as RGBA, a byte each. */
export interface Pixels extends Dimensions {
  data: Uint8Array;
}

/** The picture made smaller so that neither side is longer than this, each pixel the mean of those that it covers, on white. */
export function fitted({ width, height, data }: Pixels, longest: number): Pixels {
  const scale = Math.min(1, longest / Math.max(width, height));
  const [w, h] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
  const out = new Uint8Array(w * h * 4);
  for (let y = 0; y < h; y += 1) {
    const [top, bottom] = [Math.floor((y * height) / h), Math.max(Math.floor((y * height) / h) + 1, Math.floor(((y + 1) * height) / h))];
    for (let x = 0; x < w; x += 1) {
      const left = Math.floor((x * width) / w);
      const right = Math.max(left + 1, Math.floor(((x + 1) * width) / w));
      let [red, green, blue, alpha] = [0, 0, 0, 0];
      for (let row = top; row < bottom; row += 1) {
        for (let at = (row * width + left) * 4, end = (row * width + right) * 4; at < end; at += 4) {
          const opacity = data[at + 3] ?? 0;
          red += (data[at] ?? 0) * opacity;
          green += (data[at + 1] ?? 0) * opacity;
          blue += (data[at + 2] ?? 0) * opacity;
          alpha += opacity;
        }
      }
      const full = (bottom - top) * (right - left) * 255;
      const at = (y * w + x) * 4;
      const white = 255 * (full - alpha);
      out[at] = (red + white) / full;
      out[at + 1] = (green + white) / full;
      out[at + 2] = (blue + white) / full;
      out[at + 3] = 255;
    }
  }
  return { width: w, height: h, data: out };
}

/** The picture turned as EXIF's orientation, 1 to 8, says. */
export function turned({ width, height, data }: Pixels, turn: number): Pixels {
  if (turn <= 1) return { width, height, data };
  const isSideways = turn >= 5;
  const [w, h] = isSideways ? [height, width] : [width, height];
  const out = new Uint32Array(w * h);
  const source = new Uint32Array(data.buffer, data.byteOffset, width * height);
  for (let y = 0; y < h; y += 1) {
    for (let x = 0; x < w; x += 1) {
      const [across, down] = isSideways ? [y, x] : [x, y];
      const isMirrored = isSideways ? turn === 7 || turn === 8 : turn === 2 || turn === 3;
      const isUpset = isSideways ? turn === 6 || turn === 7 : turn === 3 || turn === 4;
      out[y * w + x] = source[(isUpset ? height - 1 - down : down) * width + (isMirrored ? width - 1 - across : across)] ?? 0;
    }
  }
  return { width: w, height: h, data: new Uint8Array(out.buffer) };
}
