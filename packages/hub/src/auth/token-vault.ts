import { AskboxError, type Clock, type Log, silentLog } from "@askbox/core";
import * as z from "zod";
import { type Access, hashToken, type TokenVerifier } from "./access.ts";

/** What a vault returns for a token that it knows. */
const vaultEntrySchema = z.object({
  /** The owner's name, for logs and lists; it identifies the asker, so it must not change. */
  name: z.string().min(1).max(200),
  scopes: z.array(z.enum(["asker", "desk", "metrics"])).min(1),
  /** Wall time in ms since the epoch; omitted or null if it never expires. */
  expiresAt: z.number().nullish(),
  /** The agent id of every ask that uses it. */
  agentId: z.string().min(1).max(200).optional(),
  /** All agents with this token may resume each other's sessions by id. */
  shared: z.boolean().optional(),
  /** Requests with it may name the person who gave the answer. */
  onBehalf: z.boolean().optional(),
});
/** A vault's answer for a token. */
export type VaultEntry = z.input<typeof vaultEntrySchema>;

/** A host's own token service. It is asked about every bearer token that the hub does not know itself, and receives nothing else. */
export interface TokenVault {
  /** Returns what the token allows, or undefined if it is unknown or revoked. The signal aborts when the result is no longer needed. */
  resolve(token: string, options: { signal: AbortSignal }): Promise<VaultEntry | undefined>;
  /** Subscribes to the names of revoked tokens, so that requests using them end immediately. Returns a function that unsubscribes. */
  subscribe?(listener: (name: string) => void): () => void;
}

/** Options of `vaultVerifier`. */
export interface VaultVerifierOptions {
  clock: Clock;
  log?: Log | undefined;
  /** Timeout of a lookup, in ms; default 2,000. */
  timeout?: number | undefined;
  /**
   * How long a result is cached, in ms: 0 to 60,000, default 5,000. A token that is revoked in the vault is rejected after this time, or at
   * once if the vault reports it; running requests end when the vault reports it, or when the token expires.
   */
  believedFor?: number | undefined;
}

const maxBeliefAge = 60_000;
/** Maximum number of cached tokens. */
const maxBelieved = 1_000;
/** Maximum number of concurrent lookups; further requests are rejected. */
const maxAsked = 200;

/**
 * Verifies tokens with a vault. It fails closed: an error, a timeout or an invalid answer denies access, and is reported as
 * `STORE_UNAVAILABLE`, so that clients do not mistake a valid token for an invalid one. Only known tokens are cached, as hashes, and
 * briefly. Throws `VALIDATION` if `believedFor` is out of range.
 */
export function vaultVerifier(vault: TokenVault, options: VaultVerifierOptions): TokenVerifier {
  const { clock, log = silentLog, timeout = 2_000, believedFor = 5_000 } = options;
  if (!(believedFor >= 0 && believedFor <= maxBeliefAge)) {
    throw new AskboxError("VALIDATION", `believedFor must be a number of milliseconds from 0 to ${maxBeliefAge}, not ${believedFor}.`);
  }
  const believed = new Map<string, { access: Access; until: number }>();
  const asked = new Map<string, Promise<Access | undefined>>();
  /** Number of revocations so far: a lookup that began before the latest may be outdated. */
  let revocations = 0;

  const ask = async (token: string): Promise<Access | undefined> => {
    const over = new AbortController();
    const overdue = Promise.withResolvers<never>();
    const cancel = clock.setTimer(timeout, () => {
      overdue.reject(new Error(`It did not answer within ${timeout} ms.`));
      over.abort();
    });
    try {
      const answer = await Promise.race([vault.resolve(token, { signal: over.signal }), overdue.promise]);
      return answer === undefined || answer === null ? undefined : accessOf(vaultEntrySchema.parse(answer));
    } catch (cause) {
      // The vault's own message may contain the token.
      log("error", "The vault could not verify a token", { error: cause instanceof Error ? cause.name : typeof cause });
      throw new AskboxError("STORE_UNAVAILABLE", "The hub cannot check tokens right now; try again soon.");
    } finally {
      cancel();
    }
  };

  const remember = (hash: string, access: Access) => {
    if (believedFor === 0) return;
    believed.set(hash, { access, until: clock.monotonic() + believedFor });
    const [oldest] = believed.keys();
    if (believed.size > maxBelieved && oldest !== undefined) believed.delete(oldest);
  };

  return {
    onRevoked(listener) {
      const stop = vault.subscribe?.((name) => {
        revocations += 1;
        for (const [hash, { access }] of [...believed]) if (access.owner === ownerOf(name)) believed.delete(hash);
        listener(ownerOf(name));
      });
      return stop ?? (() => {});
    },
    async verify(token) {
      const hash = hashToken(token);
      const known = believed.get(hash);
      if (known !== undefined && clock.monotonic() < known.until && isGood(known.access, clock)) return known.access;
      believed.delete(hash);
      const before = revocations;
      let answer = asked.get(hash);
      if (answer === undefined) {
        if (asked.size >= maxAsked) throw new AskboxError("STORE_UNAVAILABLE", "Too many tokens are being checked; try again soon.");
        answer = ask(token).finally(() => asked.delete(hash));
        asked.set(hash, answer);
      }
      const access = await answer;
      if (access === undefined || !isGood(access, clock)) return undefined;
      if (before === revocations) remember(hash, access);
      return access;
    },
  };
}

function accessOf({ name, scopes, expiresAt, agentId, shared, onBehalf }: z.output<typeof vaultEntrySchema>): Access {
  return { owner: ownerOf(name), scopes, name, agentId, shared, onBehalf, expiresAt: expiresAt ?? undefined };
}

const ownerOf = (name: string) => `vault:${name}`;

const isGood = ({ expiresAt }: Access, clock: Clock) => expiresAt === undefined || clock.now() < expiresAt;
