import { randomBytes } from "node:crypto";
import type { Clock, SharedState } from "@askbox/core";
import * as z from "zod";
import { codeLifetime, type LoginCodes } from "../auth/login-codes.ts";
import { hashToken } from "../auth/tokens.ts";

/** How long a code is remembered, in ms, so that the error can say what happened to it. */
const remembered = 3 * codeLifetime;

const codeSchema = z.object({
  /** Wall time, ms since the epoch. */
  until: z.number(),
  used: z.boolean(),
  guarantor: z.object({ owner: z.string(), expiresAt: z.number().optional() }).optional(),
  person: z.string().optional(),
});

/** Login codes created by one of several hubs and accepted by any of them, once. Stored as hashes. */
export function sharedCodes(shared: SharedState, clock: Clock): LoginCodes {
  /** Codes created here, by their owner. */
  const made = new Map<string, string>();
  const keyOf = (hash: string) => `login:${hash}`;
  return {
    create({ guarantor, person } = {}) {
      const code = randomBytes(16).toString("base64url");
      const hash = hashToken(code);
      const expiresAt = clock.now() + codeLifetime;
      const value = JSON.stringify({ until: expiresAt, used: false, guarantor, person });
      if (guarantor !== undefined) {
        made.set(hash, guarantor.owner);
        clock.setTimer(codeLifetime, () => made.delete(hash));
      }
      return { code, expiresAt, kept: shared.swap(keyOf(hash), undefined, value, remembered).then(() => {}) };
    },
    async redeem(code) {
      const key = keyOf(hashToken(code));
      const present = await shared.get(key);
      if (present === undefined) return { verdict: "unknown" };
      const { until, used, guarantor, person } = codeSchema.parse(JSON.parse(present));
      if (used) return { verdict: "used" };
      const end = Math.min(until, guarantor?.expiresAt ?? Number.POSITIVE_INFINITY);
      if (clock.now() >= end) return { verdict: "expired" };
      const isFirst = await shared.swap(key, present, JSON.stringify({ until, used: true, guarantor, person }), remembered);
      return isFirst ? { verdict: "good", guarantor, person } : { verdict: "used" };
    },
    forget(owner) {
      for (const [hash, by] of [...made]) {
        if (by !== owner) continue;
        made.delete(hash);
        const key = keyOf(hash);
        shared
          .get(key)
          .then((present) => present !== undefined && shared.swap(key, present, undefined, null))
          .catch(() => {});
      }
    },
  };
}
