/** From the first pause to the longest, in ms. */
export interface BackOff {
  first: number;
  max: number;
}

/**
 * The pause before the next attempt at something that others are also waiting for, in ms: twice as long after each failure, from 0 failures
 * on. Many clients of one server multiply it by a random number, so that they do not all come back at once.
 */
export function backOff({ first, max }: BackOff, failures: number): number {
  return Math.min(max, first * 2 ** failures);
}
