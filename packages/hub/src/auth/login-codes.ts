import { randomBytes } from "node:crypto";
import type { Clock } from "@askbox/core";
import { hashToken } from "./access.ts";

/** How long a login code is valid, in ms. */
export const codeLifetime = 600_000;
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
}

export type CodeVerdict = "good" | "used" | "expired" | "unknown";

/** The state of a code; if it was good, also whom it logs in. */
interface Redeemed extends LoginFor {
  verdict: CodeVerdict;
}

/** One-time codes that log one browser in. Stored as hashes. */
export interface LoginCodes {
  /** A new code: 128 random bits, valid for 10 minutes. */
  create(login?: LoginFor): LoginCode & {
    /** Resolves once the code works; rejects with `STORE_UNAVAILABLE`. */
    kept: Promise<void>;
  };
  /** Uses a code up. Only the first use within its lifetime returns `good`. */
  redeem(code: string): Promise<Redeemed>;
  /** Removes the codes that this owner created. */
  forget(owner: string): void;
}

/** Codes in memory only; they are lost when the hub ends. */
export function loginCodes(clock: Clock): LoginCodes {
  const known = new Map<string, { until: number; used: boolean; login: LoginFor }>();
  return {
    create(login = {}) {
      const code = randomBytes(16).toString("base64url");
      known.set(hashToken(code), { until: clock.monotonic() + codeLifetime, used: false, login });
      for (const hash of known.keys()) {
        if (known.size <= maxCodes) break;
        known.delete(hash);
      }
      return { code, expiresAt: clock.now() + codeLifetime, kept: Promise.resolve() };
    },
    async redeem(code) {
      const entry = known.get(hashToken(code));
      if (entry === undefined) return { verdict: "unknown" };
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
