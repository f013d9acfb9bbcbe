// What a token may do, and until when. A token is verified with each request; what runs with it, a connection or a request that waits, is
// registered as a use, and ends at once when the token is revoked or expires. An owner whose access has ended is remembered, since a request
// may have been verified a moment before.

import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { AskboxError, type Clock } from "@askbox/core";

/**
 * What a token allows: `asker` to ask and to see its own sessions, `desk` to see and settle all of them, `metrics` to read the hub's
 * metrics.
 */
export type Scope = "asker" | "desk" | "metrics";

/** What a token, a logged-in browser or a session of the embedding program may do, and whom it acts for. */
export interface Access {
  /** The owner of the sessions asked with it; the same for the token's lifetime. */
  owner: string;
  scopes: readonly Scope[];
  /** The token's name, if it has one. */
  name?: string;
  /** The person who uses it: answers carry this name, whatever name the page or program sends. */
  person?: string;
  /** Wall time in ms since the epoch; after that the token is rejected, and running requests that use it end. */
  expiresAt?: number;
  /** The agent id of every ask that uses the token, whatever id its agent sends. */
  agentId?: string;
  /** The machine that every ask with the token comes from, whatever its agent says; undefined on the hub's own. */
  machine?: string;
  /** All agents with this token may resume each other's sessions by id. */
  shared?: boolean;
  /** For bots and gateways: requests may name the person who gave the answer. */
  onBehalf?: boolean;
  /** The browser that has logged in with it; its answers carry the surface `web`, and this name if there is no `person`. */
  device?: { id: string; name: string };
}

/** Verifies tokens. */
export interface TokenVerifier {
  /** What the token may do; undefined if it is unknown. If it throws, access is denied. */
  verify(token: string): Promise<Access | undefined>;
  /** Subscribes to the owners whose access is revoked, so that their requests end. Returns a function that unsubscribes. */
  onRevoked?(listener: (owner: string) => void): () => void;
}

/** A new token: 256 random bits with a prefix that identifies it if it leaks. */
export function createToken(): string {
  return `abx_${randomBytes(32).toString("base64url")}`;
}

/** The form in which a token is stored: SHA-256 as lower-case hex. 256 random bits need no salt. */
export function hashToken(token: string): string {
  return digest(token).toString("hex");
}

/** A verifier over hashed tokens, each compared in constant time. */
export function tokenVerifier(known: readonly { hash: string; access: Access }[]): TokenVerifier {
  const all = known.map(({ hash, access }) => ({ hash: Buffer.from(hash, "hex"), access }));
  return {
    async verify(token) {
      const hashed = digest(token);
      let found: Access | undefined;
      // No early return: the duration must not reveal which token nearly matched.
      for (const { hash, access } of all) if (hash.length === hashed.length && timingSafeEqual(hash, hashed)) found = access;
      return found;
    },
  };
}

const digest = (token: string) => createHash("sha256").update(token).digest();

/** Number of ended owners that are remembered, for requests that were verified just before. */
const maxEnded = 10_000;

/** Running requests and connections by owner, so that they end as soon as a token or login does. */
export interface Uses {
  /**
   * Registers something that runs with this access; `end` is called once when it is revoked or expires. Call the returned function when
   * that is done. Throws `UNAUTHORIZED` if the access has already ended.
   */
  begin(access: Access, end: () => void): () => void;
  /** Whether something runs for this owner. */
  has(owner: string): boolean;
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
    has: (owner) => running.has(owner),
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
