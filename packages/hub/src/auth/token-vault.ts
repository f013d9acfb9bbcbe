import { AskboxError, type Clock, type Log, silentLog } from "@askbox/core";
import * as z from "zod";
import { type Grant, hashToken, type TokenVerifier } from "./tokens.ts";

/** What a vault says of a token that it knows. */
export const vaultEntrySchema = z.object({
  /** Whose the token is, for logs and lists; the same for as long as it asks as the same. */
  name: z.string().min(1).max(200),
  scopes: z.array(z.enum(["asker", "desk", "metrics"])).min(1),
  /** Wall time in ms since the epoch; left out or null for never. */
  expiresAt: z.number().nullish(),
  /** The agent id that every ask with it carries. */
  agentId: z.string().min(1).max(200).optional(),
  /** Each of its agents may continue with what another has asked, if it has its id. */
  shared: z.boolean().optional(),
  /** What is sent with it may name the person who gave the answer. */
  onBehalf: z.boolean().optional(),
});
/** What a vault says about a token. */
export type VaultEntry = z.input<typeof vaultEntrySchema>;

/** A host's own place for tokens. It is asked about every bearer that the hub does not know itself, and is given nothing else. */
export interface TokenVault {
  /** What the token allows; nothing for one that is unknown or was revoked. The signal aborts when nobody waits any more. */
  resolve(token: string, options: { signal: AbortSignal }): Promise<VaultEntry | undefined>;
  /** Subscribes to the names of revoked tokens, so that requests using them end immediately. Returns a function that unsubscribes. */
  subscribe?(listener: (name: string) => void): () => void;
}

/** Options of `vaultVerifier`. */
export interface VaultVerifierOptions {
  clock: Clock;
  log?: Log | undefined;
  /** How long the vault may take, in ms; default 2,000. */
  timeout?: number | undefined;
  /**
   * How long its word is believed without asking again, in ms: 0 to 60,000, default 5,000. A token that is revoked in the vault opens nothing more
   * after that, or at once where the vault tells of it; what runs with it ends when the vault tells, or when the token expires.
   */
  believedFor?: number | undefined;
}

const maxBeliefAge = 60_000;
/** Tokens that are believed at once. */
const maxBelieved = 1_000;
/** Maximum number of concurrent lookups in the vault; further requests are refused. */
const maxAsked = 200;

/**
 * Lets a vault say whose a token is. It fails closed: an error, a silence or an answer that cannot be read lets nobody in, and is told as
 * `STORE_UNAVAILABLE`, so that clients do not take a good token for a bad one. Only what it knows is remembered, as a hash, and only briefly.
 * Throws `VALIDATION` when `believedFor` is out of its range.
 */
export function vaultVerifier(vault: TokenVault, options: VaultVerifierOptions): TokenVerifier {
  const { clock, log = silentLog, timeout = 2_000, believedFor = 5_000 } = options;
  if (!(believedFor >= 0 && believedFor <= maxBeliefAge)) {
    throw new AskboxError("VALIDATION", `believedFor is a number of milliseconds from 0 to ${maxBeliefAge}, not ${believedFor}.`);
  }
  const believed = new Map<string, { grant: Grant; until: number }>();
  const asked = new Map<string, Promise<Grant | undefined>>();
  /** Revocations so far: what was asked before one may be older than it. */
  let revocations = 0;

  const ask = async (token: string): Promise<Grant | undefined> => {
    const over = new AbortController();
    const timedOut = Promise.withResolvers<never>();
    const cancel = clock.setTimer(timeout, () => {
      timedOut.reject(new Error(`It did not answer within ${timeout} ms.`));
      over.abort();
    });
    try {
      const answer = await Promise.race([vault.resolve(token, { signal: over.signal }), timedOut.promise]);
      return answer === undefined || answer === null ? undefined : grantOf(vaultEntrySchema.parse(answer));
    } catch (cause) {
      // Its own words may hold the token.
      log("error", "The vault could not say whose a token is", { error: cause instanceof Error ? cause.name : typeof cause });
      throw new AskboxError("STORE_UNAVAILABLE", "The hub cannot check tokens at this moment; try again soon.");
    } finally {
      cancel();
    }
  };

  const remember = (hash: string, grant: Grant) => {
    if (believedFor === 0) return;
    believed.set(hash, { grant, until: clock.monotonic() + believedFor });
    const [oldest] = believed.keys();
    if (believed.size > maxBelieved && oldest !== undefined) believed.delete(oldest);
  };

  return {
    onRevoked(listener) {
      const stop = vault.subscribe?.((name) => {
        revocations += 1;
        for (const [hash, { grant }] of [...believed]) if (grant.owner === ownerOf(name)) believed.delete(hash);
        listener(ownerOf(name));
      });
      return stop ?? (() => {});
    },
    async verify(token) {
      const hash = hashToken(token);
      const known = believed.get(hash);
      if (known !== undefined && clock.monotonic() < known.until && isGood(known.grant, clock)) return known.grant;
      believed.delete(hash);
      const before = revocations;
      let answer = asked.get(hash);
      if (answer === undefined) {
        if (asked.size >= maxAsked) throw new AskboxError("STORE_UNAVAILABLE", "Too many tokens are being checked; try again soon.");
        answer = ask(token).finally(() => asked.delete(hash));
        asked.set(hash, answer);
      }
      const grant = await answer;
      if (grant === undefined || !isGood(grant, clock)) return undefined;
      if (before === revocations) remember(hash, grant);
      return grant;
    },
  };
}

function grantOf({ name, scopes, expiresAt, agentId, shared, onBehalf }: z.output<typeof vaultEntrySchema>): Grant {
  return { owner: ownerOf(name), scopes, name, agentId, shared, onBehalf, expiresAt: expiresAt ?? undefined };
}

const ownerOf = (name: string) => `vault:${name}`;

const isGood = ({ expiresAt }: Grant, clock: Clock) => expiresAt === undefined || clock.now() < expiresAt;
