import { randomBytes } from "node:crypto";
import type { Clock } from "@askbox/core";
import { hashToken } from "./access.ts";

/** How long a code is valid, in ms: one that logs a browser in, and one by which a machine joins. */
export const codeLifetime = 600_000;
export const inviteLifetime = 900_000;
/** How many of the newest codes are remembered, including used and expired ones, so that the error can say what happened to a code. */
const maxCodes = 200;

interface LoginCode {
  code: string;
  /** Wall time, ms since the epoch. */
  expiresAt: number;
}

/** The named token that the browser logged in with, if any; when the token ends, so does the login. */
export interface Guarantor {
  owner: string;
  /** Wall time, ms since the epoch. */
  expiresAt?: number | undefined;
}

/** Whom a code logs in. */
export interface LoginFor {
  guarantor?: Guarantor | undefined;
  /** Answers from the browser carry this name; without it, the browser's. */
  person?: string | undefined;
  /** Not a browser, but a machine, which gets a token with this scope. */
  machine?: { scope: "asker" | "desk"; name?: string | undefined } | undefined;
}

/** How long a code for this is valid, in ms. */
export const lifetimeOf = ({ machine }: LoginFor): number => (machine === undefined ? codeLifetime : inviteLifetime);

/** What a code is redeemed for; one for the other is unknown, and not used up. */
export type CodeUse = "login" | "join";
export const useOf = ({ machine }: LoginFor): CodeUse => (machine === undefined ? "login" : "join");

export type CodeVerdict = "good" | "used" | "expired" | "unknown";

/** The state of a code; if it was good, also whom it logs in. */
interface Redeemed extends LoginFor {
  verdict: CodeVerdict;
}

/** One-time codes that log one browser in, or let one machine join. Stored as hashes. */
export interface LoginCodes {
  /** A new code: 128 random bits, valid for 10 minutes, or 15 for a machine. */
  create(login?: LoginFor): LoginCode & {
    /** Resolves once the code works; rejects with `STORE_UNAVAILABLE`. */
    kept: Promise<void>;
  };
  /** Uses a code up. Only the first use within its lifetime returns `good`. */
  redeem(code: string, use?: CodeUse): Promise<Redeemed>;
  /** Removes the codes that this owner created. */
  forget(owner: string): void;
}

/** Codes in memory only; they are lost when the hub ends. */
export function loginCodes(clock: Clock): LoginCodes {
  const known = new Map<string, { until: number; used: boolean; login: LoginFor }>();
  return {
    create(login = {}) {
      const code = randomBytes(16).toString("base64url");
      known.set(hashToken(code), { until: clock.monotonic() + lifetimeOf(login), used: false, login });
      for (const hash of known.keys()) {
        if (known.size <= maxCodes) break;
        known.delete(hash);
      }
      return { code, expiresAt: clock.now() + lifetimeOf(login), kept: Promise.resolve() };
    },
    async redeem(code, use = "login") {
      const entry = known.get(hashToken(code));
      if (entry === undefined || useOf(entry.login) !== use) return { verdict: "unknown" };
      if (entry.used) return { verdict: "used" };
      const { login } = entry;
      if (clock.monotonic() >= entry.until || clock.now() >= (login.guarantor?.expiresAt ?? Number.POSITIVE_INFINITY))
        return { verdict: "expired" };
      entry.used = true;
      return { verdict: "good", ...login };
    },
    forget(owner) {
      for (const [hash, { login }] of [...known]) if (login.guarantor?.owner === owner) known.delete(hash);
    },
  };
}
