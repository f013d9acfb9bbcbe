import * as z from "zod";

/** A token with a name, as it is kept: the token itself as a hash. Times are wall time in ms since the epoch. */
export const tokenRecordSchema = z.object({
  /** 16 lower-case hex digits. */
  id: z.string().min(1).max(100),
  name: z.string().min(1).max(60),
  scope: z.enum(["asker", "desk", "metrics"]),
  /** The agent id that every ask with it carries. */
  agentId: z.string().min(1).max(200).optional(),
  /** Each of its agents may continue with what another has asked, if it has its id. */
  shared: z.literal(true).optional(),
  /** What is sent with it may name the person who gave the answer. */
  onBehalf: z.literal(true).optional(),
  /** In whose name it was made, where that was a token with a name: it ends with that one. */
  guarantor: z.string().max(300).optional(),
  createdAt: z.number(),
  /** Null for never. */
  expiresAt: z.number().nullable(),
  /** It was seen to have expired, which a clock that goes back does not undo. */
  expired: z.literal(true).optional(),
  /** Rounded down to 10 minutes; null for never. */
  lastUsedAt: z.number().nullable(),
  /** As `hashToken` makes it. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
});
/** A named token, as it is stored. */
export type TokenRecord = z.infer<typeof tokenRecordSchema>;

/**
 * Where named tokens are kept; several hubs may share one. Every method resolves when its effect is as durable as the store makes anything, and
 * rejects with `STORE_UNAVAILABLE` when it cannot be had; nobody is then let in, and nothing is changed.
 * Prove an implementation with `tokenStoreContract` from `@askbox/hub/testing`.
 */
export interface TokenStore {
  /** The token with this hash. Asked for each request, so it should be quick. */
  find(hash: string): Promise<TokenRecord | undefined>;
  /** All tokens, expired ones too, in any order. */
  list(): Promise<TokenRecord[]>;
  /** Adds a token; false, and nothing changed, when its id, name or hash is there already. */
  insert(record: TokenRecord): Promise<boolean>;
  /** Removes a token for good; false when there is none. */
  remove(id: string): Promise<boolean>;
  /** Sets `lastUsedAt`; a token that is gone stays gone, and is no error. */
  touch(id: string, at: number): Promise<void>;
  /** Subscribes to the ids of tokens removed by any hub. Returns a function that unsubscribes. */
  subscribe(listener: (id: string) => void): () => void;
}
