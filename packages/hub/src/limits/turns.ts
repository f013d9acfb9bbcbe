/** Lets one request of each token be worked on at a time, so that a token that sends many doesn't keep others waiting. */
export interface Turns {
  /** Resolves when it is this token's turn: at once if none of its other requests had one in this round of the event loop. */
  next(owner: string): Promise<void> | undefined;
}

/** Milliseconds: a round that took longer is followed by a rest, of at most `maxRest`. */
const shortRound = 1;
const maxRest = 50;

/** At most this many rounds of rest follow for each millisecond of a long one. */
const restRounds = 8;

/**
 * A turn lasts as long as its request works without waiting for anything. If that is long, a rest of up to the same length follows: Node accepts
 * one connection per round of the event loop, so others would have to wait for as many turns as there are connections before theirs.
 * `time`: monotonic, in ms.
 */
export function turns(time: () => number = () => performance.now()): Turns {
  /** By owner that had a turn in this round. */
  const waiting = new Map<string, (() => void)[]>();
  let isPlanned = false;
  /** When the turns of this round began; undefined in a rest. */
  let began: number | undefined;
  let restsUntil = 0;
  let restsLeft = 0;
  const plan = () => {
    if (isPlanned) return;
    isPlanned = true;
    setImmediate(round);
  };
  const round = () => {
    isPlanned = false;
    const now = time();
    if (began !== undefined && now - began > shortRound) {
      restsUntil = now + Math.min(now - began, maxRest);
      restsLeft = (now - began) * restRounds;
    }
    began = undefined;
    restsLeft -= 1;
    if (restsLeft > 0 && now < restsUntil) return plan();
    began = now;
    for (const [owner, others] of waiting) {
      const begin = others.shift();
      if (begin === undefined) waiting.delete(owner);
      else begin();
    }
    if (waiting.size > 0) plan();
  };
  return {
    next(owner) {
      const others = waiting.get(owner);
      if (others !== undefined) return new Promise((resolve) => others.push(resolve));
      if (waiting.size === 0) began = time();
      waiting.set(owner, []);
      plan();
      return undefined;
    },
  };
}
