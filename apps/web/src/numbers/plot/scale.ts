/** Round numbers from 0 up to at least `max`, for whole counts, in about `wanted` steps. */
export function countTicks(max: number, wanted: number): number[] {
  const rough = Math.max(1, max / wanted);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough);
  const steps = Math.max(1, Math.ceil(max / step));
  return Array.from({ length: steps + 1 }, (_, index) => index * step);
}

/** Which of `count` positions on an axis get a label, so that there are at most `most`, including the last. */
export function labelled(count: number, most: number): number[] {
  const step = Math.max(1, Math.ceil(count / Math.max(1, most)));
  const places: number[] = [];
  for (let index = count - 1; index >= 0; index -= step) places.unshift(index);
  return places;
}
