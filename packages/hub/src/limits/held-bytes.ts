import { AskboxError } from "@askbox/core";
import { turns } from "./turns.ts";

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
