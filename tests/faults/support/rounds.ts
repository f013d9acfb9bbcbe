/**
 * How much longer than in `pnpm test` the random cases run: `ASKBOX_FAULTS_SCALE`, a whole number from 1; `pnpm test:faults` sets 20, which
 * turns 10 kills into 200.
 */
const scale = positive(process.env["ASKBOX_FAULTS_SCALE"]) ?? 1;

export const rounds = (usual: number): number => usual * scale;

/** The timeout in ms of a test whose rounds grow with the scale: a multiple of the usual one. */
export const timeout = 300_000 * scale;

/** Pseudo-random numbers that are the same for the same seed. */
export interface Chance {
  readonly seed: number;
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number;
  /** True in this many of 100 cases. */
  percent(share: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** Separate randomness for one of several concurrent actors, so that its choices do not depend on the others' pace. */
  branch(index: number): Chance;
}

/**
 * Randomness from `ASKBOX_FAULTS_SEED`, or from a new seed that is printed. The same seed makes the same choices (what is killed, when, which
 * byte is damaged); the timing of concurrent processes depends on the machine.
 */
export function seededChance(name: string): Chance {
  const seed = positive(process.env["ASKBOX_FAULTS_SEED"]) ?? Math.floor(Math.random() * 2 ** 31) + 1;
  process.stdout.write(`${name}: ASKBOX_FAULTS_SEED=${seed}\n`);
  return chanceOf(seed);
}

function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  // mulberry32: small, and uniform enough for this.
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return {
    seed,
    between,
    percent: (share) => next() * 100 < share,
    pick: <Item>(items: readonly Item[]) => items[between(0, items.length - 1)] as Item,
    branch: (index) => chanceOf(Math.imul(seed, 31) + Math.imul(index + 1, 0x9e3779b9)),
  };
}

function positive(text: string | undefined): number | undefined {
  if (text === undefined || text === "") return undefined;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new Error(`ASKBOX_FAULTS_SCALE and ASKBOX_FAULTS_SEED are whole numbers from 1, not ${text}.`);
  return value;
}
