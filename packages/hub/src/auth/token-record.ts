import * as z from "zod";

/** A named token, as stored: the token itself as a hash. Times are wall time in ms since the epoch. */
export const tokenRecordSchema = z.object({
  /** 16 lower-case hex digits. */
  id: z.string().min(1).max(100),
  name: z.string().min(1).max(60),
  scope: z.enum(["asker", "desk", "metrics"]),
  /** The agent id of every ask that uses it. */
  agentId: z.string().min(1).max(200).optional(),
  /** All agents with this token may resume each other's sessions by id. */
  shared: z.literal(true).optional(),
  /** Requests with it may name the person who gave the answer. */
  onBehalf: z.literal(true).optional(),
  /** The named token that created it, if any; it ends with that one. */
  guarantor: z.string().max(300).optional(),
  createdAt: z.number(),
  /** Null if it never expires. */
  expiresAt: z.number().nullable(),
  /** Set once it has expired; stays set if the clock goes back. */
  expired: z.literal(true).optional(),
  /** Rounded down to 10 minutes; null if never used. */
  lastUsedAt: z.number().nullable(),
  /** As returned by `hashToken`. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
});
/** The schema of a stored token. */
export type TokenRecord = z.infer<typeof tokenRecordSchema>;

/**
 * Stores named tokens; several hubs may share a store. Every method resolves once its effect is as durable as the store makes it, and
 * rejects with `STORE_UNAVAILABLE` if the store cannot be reached; access is then denied, and nothing has changed. Test an implementation
 * with `tokenStoreContract` from `@askbox/hub/testing`.
 */
export interface TokenStore {
  /** The token with this hash. Called for each request, so it should be fast. */
  find(hash: string): Promise<TokenRecord | undefined>;
  /** All tokens, expired ones too, in any order. */
  list(): Promise<TokenRecord[]>;
  /** Adds a token; returns false, without a change, if its id, name or hash already exists. */
  insert(record: TokenRecord): Promise<boolean>;
  /** Removes a token permanently; returns false if there is none. */
  remove(id: string): Promise<boolean>;
  /** Sets `lastUsedAt`. Does nothing if the token no longer exists. */
  touch(id: string, at: number): Promise<void>;
  /** Subscribes to the ids of tokens removed by any hub. Returns a function that unsubscribes. */
  subscribe(listener: (id: string) => void): () => void;
}
