import { randomBytes } from "node:crypto";
import type { Clock } from "@askbox/core";
import { hashToken } from "./tokens.ts";

/** How long a login code may be used, in ms. */
const lifetime = 600_000;
/** So many of the newest codes are remembered, used and expired ones among them, so that a person can be told what became of theirs. */
const mostCodes = 200;

export interface LoginCode {
  code: string;
  /** Wall time, ms since the epoch. */
  expiresAt: number;
}

export type CodeVerdict = "good" | "used" | "expired" | "unknown";

/** One-time codes, each of which lets one browser log in. Kept as hashes, and in memory only: they end with the hub. */
export interface LoginCodes {
  /** A new code: 128 random bits, valid for 10 minutes. */
  create(): LoginCode;
  /** Uses a code up. Only the first to come with it, and in time, gets `good`. */
  redeem(code: string): CodeVerdict;
}

export function loginCodes(clock: Clock): LoginCodes {
  const known = new Map<string, { until: number; used: boolean }>();
  return {
    create() {
      const code = randomBytes(16).toString("base64url");
      known.set(hashToken(code), { until: clock.monotonic() + lifetime, used: false });
      for (const hash of known.keys()) {
        if (known.size <= mostCodes) break;
        known.delete(hash);
      }
      return { code, expiresAt: clock.now() + lifetime };
    },
    redeem(code) {
      const entry = known.get(hashToken(code));
      if (entry === undefined) return "unknown";
      if (entry.used) return "used";
      if (clock.monotonic() >= entry.until) return "expired";
      entry.used = true;
      return "good";
    },
  };
}
