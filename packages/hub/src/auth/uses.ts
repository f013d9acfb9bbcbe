import { AskboxError, type Clock } from "@askbox/core";
import type { Access } from "./tokens.ts";

/** Number of ended owners that are remembered, for requests that were verified just before. */
const maxEnded = 10_000;

/** Running requests and connections by owner, so that they end as soon as a token or login does. */
export interface Uses {
  /**
   * Registers something that runs with this access; `end` is called once when it is revoked or expires. Call the returned function when
   * that is done. Throws `UNAUTHORIZED` if the access has already ended.
   */
  begin(access: Access, end: () => void): () => void;
  /** Throws `UNAUTHORIZED` if the access was revoked or has expired since it was verified. */
  check(access: Access): void;
  /** Ends everything that runs for this owner; with `forGood`, nothing new can begin either. */
  end(owner: string, options?: { forGood: boolean }): void;
  /** Subscribes to owners whose access ends. Returns a function that unsubscribes. */
  onEnded(listener: (owner: string) => void): () => void;
}

export function usesOfAccess(clock: Clock): Uses {
  const running = new Map<string, Set<() => void>>();
  const ended = new Set<string>();
  const listeners = new Set<(owner: string) => void>();

  const uses: Uses = {
    check({ owner, expiresAt }) {
      if (!ended.has(owner) && (expiresAt === undefined || clock.now() < expiresAt)) return;
      throw accessEnded();
    },
    begin(access, end) {
      uses.check(access);
      const { owner, expiresAt } = access;
      const own = running.get(owner) ?? new Set();
      running.set(owner, own);
      const release = () => {
        cancel();
        own.delete(stop);
        if (own.size === 0 && running.get(owner) === own) running.delete(owner);
      };
      const stop = () => {
        release();
        end();
      };
      const cancel = expiresAt === undefined ? () => {} : clock.setTimer(expiresAt - clock.now(), stop);
      own.add(stop);
      return release;
    },
    end(owner, { forGood } = { forGood: true }) {
      if (forGood) ended.add(owner);
      const [oldest] = ended;
      if (ended.size > maxEnded && oldest !== undefined) ended.delete(oldest);
      for (const stop of [...(running.get(owner) ?? [])]) stop();
      for (const listener of [...listeners]) listener(owner);
    },
    onEnded(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  return uses;
}

/** The error for access that has ended. */
export const accessEnded = (): AskboxError =>
  new AskboxError("UNAUTHORIZED", "This token was revoked or has expired; ask the person who runs the hub for a new one.");
