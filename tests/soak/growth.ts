/** A sample of the process: the number of calls served by then, and a figure. */
export interface Point {
  calls: number;
  value: number;
}

export interface Bound {
  /** How much the figure may grow in 1,000 calls: the noise of measurements, and what is kept on purpose. */
  perThousand: number;
  /** Less than this in total does not count as growth, however steady, such as a buffer that doubles once. */
  least: number;
}

export interface Growth {
  /** The growth in 1,000 calls: Theil and Sen's slope, the median of the slopes between all pairs of points. */
  perThousand: number;
  /** The slope times the number of calls of all points. */
  total: number;
  /** Kendall's tau: 1 if every later point is higher than every earlier one, about 0 for fluctuation. */
  steadiness: number;
  isGrowing: boolean;
}

/** Fluctuation stays below this in 999 of 1,000 series of 20 points. */
const steady = 0.5;
const fewestPoints = 10;

/**
 * Whether a figure grows with the calls: its slope exceeds the limit, it rises steadily rather than in a single jump, and the rise is large
 * enough. Uses medians of pairs, so that a single point during a burst or a collection does not matter. Throws for fewer than 10 points.
 */
export function growthOf(points: readonly Point[], bound: Bound): Growth {
  if (points.length < fewestPoints) throw new Error(`Growth shows in ${fewestPoints} points or more; here are ${points.length}.`);
  const slopes: number[] = [];
  let [rises, falls] = [0, 0];
  for (const [index, earlier] of points.entries()) {
    for (const later of points.slice(index + 1)) {
      const more = later.value - earlier.value;
      if (more > 0) rises += 1;
      else if (more < 0) falls += 1;
      if (later.calls > earlier.calls) slopes.push(more / (later.calls - earlier.calls));
    }
  }
  if (slopes.length === 0) throw new Error("Growth is by calls, and there were none between the points.");
  const slope = medianOf(slopes);
  const perThousand = slope * 1_000;
  const total = slope * ((points.at(-1)?.calls ?? 0) - (points[0]?.calls ?? 0));
  const pairs = (points.length * (points.length - 1)) / 2;
  const steadiness = (rises - falls) / pairs;
  return { perThousand, total, steadiness, isGrowing: perThousand > bound.perThousand && total > bound.least && steadiness > steady };
}

function medianOf(values: number[]): number {
  values.sort((one, other) => one - other);
  const [lower = 0, upper = 0] = [values[(values.length - 1) >> 1], values[values.length >> 1]];
  return (lower + upper) / 2;
}
