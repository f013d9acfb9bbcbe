import { randomBytes } from "node:crypto";
import type { Clock } from "@askbox/core";
import { hashToken } from "./tokens.ts";

/** How long a login code may be used, in ms. */
export const codeLifetime = 600_000;
/** So many of the newest codes are remembered, used and expired ones among them, so that a person can be told what became of theirs. */
const maxCodes = 200;

export interface LoginCode {
  code: string;
  /** Wall time, ms since the epoch. */
  expiresAt: number;
}

/** Who let a browser in, where that is somebody whose own way in may end: the browser's ends with it. */
export interface Guarantor {
  owner: string;
  /** Wall time, ms since the epoch. */
  expiresAt?: number | undefined;
}

export type CodeVerdict = "good" | "used" | "expired" | "unknown";

/** What became of a code, and on whose word it was made. */
export interface Redeemed {
  verdict: CodeVerdict;
  guarantor?: Guarantor | undefined;
}

/** One-time codes, each of which lets one browser log in. Kept as hashes. */
export interface LoginCodes {
  /** A new code: 128 random bits, valid for 10 minutes. */
  create(guarantor?: Guarantor): LoginCode & {
    /** Resolves once the code works; rejects with `STORE_UNAVAILABLE`. */
    kept: Promise<void>;
  };
  /** Uses a code up. Only the first to come with it, and in time, gets `good`. */
  redeem(code: string): Promise<Redeemed>;
  /** Forgets the codes that were made on this owner's word. */
  forget(owner: string): void;
}

/** Codes in memory only: they end with the hub. */
export function loginCodes(clock: Clock): LoginCodes {
  const known = new Map<string, { until: number; used: boolean; guarantor: Guarantor | undefined }>();
  return {
    create(guarantor) {
      const code = randomBytes(16).toString("base64url");
      known.set(hashToken(code), { until: clock.monotonic() + codeLifetime, used: false, guarantor });
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
      const { guarantor } = entry;
      if (clock.monotonic() >= entry.until || clock.now() >= (guarantor?.expiresAt ?? Number.POSITIVE_INFINITY))
        return { verdict: "expired" };
      entry.used = true;
      return { verdict: "good", guarantor };
    },
    forget(owner) {
      for (const [hash, { guarantor }] of [...known]) if (guarantor?.owner === owner) known.delete(hash);
    },
  };
}
