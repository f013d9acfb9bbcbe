// What the hub holds in memory for each token, and whose turn it is to be worked on. Both are estimates on purpose: they are known before a
// message is parsed.

import { AskboxError } from "@askbox/core";

/** 64 MB: 1,600 HTTP calls that wait, or many times as many on WebSockets. */
const DEFAULT_BYTES_PER_TOKEN = 67_108_864;

/** Estimates, in bytes, of what the hub holds besides the text itself. Measured: an MCP call that waits takes 52 KB. */
export const heldBy = Object.freeze({ request: 40_960, connection: 32_768, call: 2_048 });
/** What a byte of a request grows to, once it is parsed and shown: most text is stored with two bytes per character, and more than once. */
export const parsedFactor = 4;

/**
 * What the hub holds in memory for each token while requests are in progress: their bodies, unfinished messages, connections, and replies
 * that are not read yet. All of them count towards one limit, before they are parsed.
 */
export interface HeldBytes {
  /** The share of one request or connection. */
  open(owner: string): Holding;
}

export interface Holding {
  /** Counts more. Throws `RATE_LIMITED` if that is too much for the token; then it does not count. */
  hold(bytes: number): void;
  /** Counts more even if it is too much; returns whether it is not. */
  add(bytes: number): boolean;
  /** Counts less. */
  drop(bytes: number): void;
  /** Counts nothing any more. */
  end(): void;
  /** Resolves when it is its turn among what its token has in progress. */
  turn(): Promise<void> | undefined;
}

export function heldBytes(maxPerToken = DEFAULT_BYTES_PER_TOKEN): HeldBytes {
  const held = new Map<string, number>();
  const { next } = turns();
  return {
    open(owner) {
      let own = 0;
      let isOver = false;
      const change = (bytes: number): number => {
        if (isOver) return 0;
        own += bytes;
        const all = (held.get(owner) ?? 0) + bytes;
        if (all === 0) held.delete(owner);
        else held.set(owner, all);
        return all;
      };
      const holding: Holding = {
        hold(bytes) {
          if (holding.add(bytes)) return;
          holding.drop(bytes);
          const sentence = `This token already has requests and replies of ${Math.round(maxPerToken / 1_048_576)} MB in progress; wait for some to finish.`;
          throw new AskboxError("RATE_LIMITED", sentence, { details: { retryAfter: 1 } });
        },
        add: (bytes) => change(bytes) <= maxPerToken,
        drop: (bytes) => void change(-bytes),
        end() {
          change(-own);
          isOver = true;
        },
        turn: () => next(owner),
      };
      return holding;
    },
  };
}

/** Lets one request of each token be worked on at a time, so that a token that sends many doesn't keep others waiting. */
interface Turns {
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
