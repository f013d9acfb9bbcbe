// The tokens that the hub's owner creates by name: made once, stored as a hash, listed, revoked. A store that cannot be reached denies access
// and changes nothing.

import { randomBytes, timingSafeEqual } from "node:crypto";
import { AskboxError, type CancelTimer, type Clock, isAskboxError, type Log } from "@askbox/core";
import * as z from "zod";
import { type Access, createToken, hashToken, type Scope, type Uses } from "./access.ts";
import type { Guarantor } from "./login-codes.ts";

/** Precision of a token's last use, in ms; coarse, so that it is rarely written. Of a machine, people want to know it better. */
const usedWithin = { token: 600_000, machine: 60_000 };
const rounded = (clock: Clock, within: number) => Math.floor(clock.now() / within) * within;
/** How long uses are collected before they are saved together, in ms. Random, since all tokens become due at the same moment at all hubs. */
const [minDelay, maxDelay] = [10_000, 60_000];
const maxTokens = 500;

/** A token as listed for its owner: everything but the token itself. Times are wall time in ms since the epoch. */
export interface NamedToken {
  id: string;
  name: string;
  scope: Scope;
  agentId?: string;
  machine?: true;
  shared?: true;
  onBehalf?: true;
  createdAt: number;
  expiresAt: number | null;
  /** Rounded down to 10 minutes; of a machine, to a minute. */
  lastUsedAt: number | null;
  expired: boolean;
}

/** A token to create. */
export interface TokenSettings {
  name: string;
  scope: Scope;
  /** Milliseconds from now; omit for a token that does not expire. */
  expiresIn?: number | undefined;
  agentId?: string | undefined;
  /** Whether it is a machine's: everything asked with it says so, by the token's name. */
  machine?: boolean | undefined;
  shared?: boolean | undefined;
  onBehalf?: boolean | undefined;
}

interface NamedTokensOptions {
  store: TokenStore;
  clock: Clock;
  uses: Uses;
  log: Log;
}

/** The tokens that the hub's owner has created. */
export class NamedTokens {
  readonly #options: NamedTokensOptions;
  readonly #unsubscribe: () => void;
  /** Last uses that are not saved yet, by token id. */
  readonly #used = new Map<string, number>();
  /** Machines that may be connected. */
  readonly #machines = new Set<string>();
  #cancelSave: CancelTimer | undefined;

  constructor(options: NamedTokensOptions) {
    this.#options = options;
    this.#unsubscribe = options.store.subscribe((id) => options.uses.end(ownerOf(id)));
  }

  /** What a token may do. Throws what the store throws. */
  async verify(token: string): Promise<Access | undefined> {
    const record = await this.#options.store.find(hashToken(token));
    if (record === undefined) return undefined;
    if (this.#isExpired(record)) {
      await this.#noteExpired(record);
      return undefined;
    }
    this.#touch(record);
    const { id, name, scope, agentId, machine, shared, onBehalf, expiresAt } = record;
    return {
      ...{ owner: ownerOf(id), scopes: [scope], name, agentId, shared, onBehalf, expiresAt: expiresAt ?? undefined },
      machine: machine && name,
    };
  }

  /**
   * Creates a token, which cannot be shown again. A token created by a guarantor ends when the guarantor expires or is revoked. Throws
   * `CONFLICT` if the name is taken, `VALIDATION`, and what the store throws.
   */
  async create(
    { name, scope, expiresIn, agentId, machine, shared, onBehalf }: TokenSettings,
    guarantor?: Guarantor,
  ): Promise<NamedToken & { token: string }> {
    const { store, clock, log } = this.#options;
    const now = clock.now();
    const until = guarantor?.expiresAt;
    const expiresAt = expiresIn === undefined ? null : now + expiresIn;
    if (agentId !== undefined && scope !== "asker") throw new AskboxError("VALIDATION", "Only a token of the scope asker has an agent id.");
    if (shared && scope !== "asker") throw new AskboxError("VALIDATION", "Only a token of the scope asker can be shared.");
    if (onBehalf && scope !== "desk") {
      throw new AskboxError("VALIDATION", "Only a token of the scope desk can answer on behalf of others.");
    }
    if (until !== undefined && (expiresAt === null || expiresAt > until)) {
      throw new AskboxError("FORBIDDEN", "A token that expires can't create tokens that outlive it; let the new one expire sooner.");
    }
    const known = await store.list();
    const namesake = known.find((record) => record.name === name);
    if (namesake !== undefined && this.#isExpired(namesake)) await store.remove(namesake.id);
    if (known.length >= maxTokens) throw new AskboxError("CONFLICT", `There are ${maxTokens} tokens already; revoke some first.`);
    const token = createToken();
    const record: TokenRecord = {
      id: randomBytes(8).toString("hex"),
      name,
      scope,
      createdAt: now,
      expiresAt,
      lastUsedAt: null,
      hash: hashToken(token),
      agentId,
      machine: machine || undefined,
      shared: shared || undefined,
      onBehalf: onBehalf || undefined,
      guarantor: guarantor?.owner,
    };
    if (!(await store.insert(record))) {
      throw new AskboxError("CONFLICT", `A token named ${name} already exists; choose another name, or revoke that one first.`);
    }
    if (guarantor !== undefined && (await this.wasRevoked(guarantor.owner))) {
      await store.remove(record.id);
      throw new AskboxError("UNAUTHORIZED", "The token that was to make this one was revoked meanwhile.");
    }
    log("info", "A token was made", { id: record.id, name, scope, expiresAt });
    return { ...this.#shown(record), token };
  }

  /** Creates a token with this name, or if that is taken, with a number after it. Throws as `create` does. */
  async createFree(settings: TokenSettings, guarantor?: Guarantor): Promise<NamedToken & { token: string }> {
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? settings.name : `${settings.name}-${number}`;
      try {
        return await this.create({ ...settings, name }, guarantor);
      } catch (error) {
        const isTaken = isAskboxError(error, "CONFLICT") && (await this.#find(name)) !== undefined;
        if (!isTaken || number > maxTokens) throw error;
      }
    }
  }

  /** All tokens, newest first. */
  async list(): Promise<NamedToken[]> {
    const records = await this.#options.store.list();
    for (const record of records) if (this.#isExpired(record)) await this.#noteExpired(record);
    return records.sort((one, other) => other.createdAt - one.createdAt).map((record) => this.#shown(record));
  }

  /** Gives a token another name, which its next request has. Throws `CONFLICT` if that is taken. Returns undefined if there is none. */
  async rename(idOrName: string, name: string): Promise<NamedToken | undefined> {
    const { store, log } = this.#options;
    const record = await this.#find(idOrName);
    if (record === undefined) return undefined;
    if (!(await store.rename(record.id, name))) {
      throw new AskboxError("CONFLICT", `A token named ${name} already exists; choose another name.`);
    }
    log("info", "A token was renamed", { id: record.id, name });
    return this.#shown({ ...record, name });
  }

  async #find(idOrName: string): Promise<TokenRecord | undefined> {
    const records = await this.#options.store.list();
    return records.find(({ id }) => id === idOrName) ?? records.find(({ name }) => name === idOrName);
  }

  /** Revokes a token by id or name; running requests that use it end at once. Returns undefined if there is none. */
  async revoke(idOrName: string): Promise<NamedToken | undefined> {
    const { store, uses, log } = this.#options;
    const record = await this.#find(idOrName);
    if (record === undefined) return undefined;
    let isRemoved = false;
    try {
      isRemoved = await store.remove(record.id);
    } finally {
      // Does not rely on the store's own events, which may be delayed, nor on its confirmation.
      uses.end(ownerOf(record.id));
    }
    if (!isRemoved) return undefined;
    log("info", "A token was revoked", { id: record.id, name: record.name, scope: record.scope });
    return this.#shown(record);
  }

  /**
   * Whether a named token of this owner is gone. Asked once more when something that ends with it was stored: another hub may have looked for
   * all of that a moment before.
   */
  async wasRevoked(owner: string): Promise<boolean> {
    if (!owner.startsWith(ownerOf(""))) return false;
    return !(await this.#options.store.list()).some(({ id }) => ownerOf(id) === owner);
  }

  /** Revokes the tokens that this owner created, and recursively those that they created. */
  async revokeOf(owner: string): Promise<void> {
    const { store, uses, log } = this.#options;
    try {
      const made = (await store.list()).filter(({ guarantor }) => guarantor === owner);
      // Whether they can be removed or not.
      for (const { id } of made) uses.end(ownerOf(id));
      const removals = await Promise.allSettled(made.map(({ id }) => store.remove(id)));
      for (const removal of removals) if (removal.status === "rejected") throw removal.reason;
    } catch (error) {
      log("error", "Tokens created by a revoked token could not be revoked; revoke them by hand", { owner, error: String(error) });
    }
  }

  close(): void {
    this.#unsubscribe();
    this.#saveUses();
    this.#cancelSave?.();
  }

  #touch({ id, lastUsedAt, machine }: TokenRecord): void {
    const at = rounded(this.#options.clock, machine ? usedWithin.machine : usedWithin.token);
    const isNew = at !== (this.#used.get(id) ?? lastUsedAt);
    if (isNew) this.#used.set(id, at);
    if (machine) this.#machines.add(id);
    if (isNew || machine) this.#saveIn(minDelay + Math.random() * (maxDelay - minDelay));
  }

  #saveIn(delay: number): void {
    this.#cancelSave ??= this.#options.clock.setTimer(delay, () => this.#saveUses());
  }

  #saveUses(): void {
    const { store, clock, log, uses: running } = this.#options;
    this.#cancelSave?.();
    this.#cancelSave = undefined;
    // A connection makes no further request that is verified.
    for (const id of this.#machines) {
      if (running.has(ownerOf(id))) this.#used.set(id, rounded(clock, usedWithin.machine));
      else this.#machines.delete(id);
    }
    if (this.#machines.size > 0) this.#saveIn(usedWithin.machine);
    const uses = [...this.#used];
    Promise.all(uses.map(([id, at]) => store.touch(id, at)))
      .catch((error: unknown) => log("warn", "The last use of tokens could not be saved", { error: String(error) }))
      .finally(() => {
        for (const [id, at] of uses) if (this.#used.get(id) === at) this.#used.delete(id);
      });
  }

  async #noteExpired(record: TokenRecord): Promise<void> {
    if (record.expired) return;
    const { store, log } = this.#options;
    try {
      if (await store.remove(record.id)) await store.insert({ ...record, expired: true });
    } catch (error) {
      log("warn", "The expiry of a token could not be saved", { error: String(error) });
    }
  }

  #isExpired({ expiresAt, expired }: Pick<TokenRecord, "expiresAt" | "expired">): boolean {
    return expired || (expiresAt !== null && this.#options.clock.now() >= expiresAt);
  }

  #shown({ hash: _, guarantor: _by, agentId, ...record }: TokenRecord): NamedToken {
    const lastUsedAt = this.#used.get(record.id) ?? record.lastUsedAt;
    return { ...record, agentId, lastUsedAt, expired: this.#isExpired(record) };
  }
}

export const ownerOf = (id: string) => `token:${id}`;
/** The id of a named token's owner. */
export const idOf = (owner: string) => owner.slice(ownerOf("").length);

/** A named token, as stored: the token itself as a hash. Times are wall time in ms since the epoch. */
export const tokenRecordSchema = z.object({
  /** 16 lower-case hex digits. */
  id: z.string().min(1).max(100),
  name: z.string().min(1).max(60),
  scope: z.enum(["asker", "desk", "metrics"]),
  /** The agent id of every ask that uses it. */
  agentId: z.string().min(1).max(200).optional(),
  /** It is a machine's: what is asked with it says so, by the token's name. */
  machine: z.literal(true).optional(),
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
  /** Rounded down to 10 minutes, or of a machine to a minute; null if never used. */
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
  /** Gives a token another name; returns false, without a change, if there is none or the name is taken. */
  rename(id: string, name: string): Promise<boolean>;
  /** Removes a token permanently; returns false if there is none. */
  remove(id: string): Promise<boolean>;
  /** Sets `lastUsedAt`. Does nothing if the token no longer exists. */
  touch(id: string, at: number): Promise<void>;
  /** Subscribes to the ids of tokens removed by any hub. Returns a function that unsubscribes. */
  subscribe(listener: (id: string) => void): () => void;
}

/** Stores the tokens of one hub between its runs. */
export interface TokenStorage {
  /** The last saved entries; the reader skips invalid ones. */
  load(): readonly unknown[];
  /** Stores them where only the hub's owner can read them. Throws `STORE_UNAVAILABLE`. */
  save(tokens: readonly TokenRecord[]): void;
}

/** The tokens of one hub, in memory and, if given, in a storage. */
export function tokenList(storage: TokenStorage = { load: () => [], save: () => {} }): TokenStore {
  let tokens: readonly TokenRecord[] = storage.load().flatMap((stored) => tokenRecordSchema.safeParse(stored).data ?? []);
  const listeners = new Set<(id: string) => void>();
  /** Memory is updated only after saving, so that a failed save changes nothing. */
  const change = (changed: readonly TokenRecord[]) => {
    storage.save(changed);
    tokens = changed;
  };
  return {
    async find(hash) {
      const hashed = Buffer.from(hash);
      let found: TokenRecord | undefined;
      // No early return: the duration must not reveal which token nearly matched.
      for (const token of tokens) if (isEqual(Buffer.from(token.hash), hashed)) found = token;
      return found && { ...found };
    },
    list: async () => tokens.map((token) => ({ ...token })),
    async insert(record) {
      if (tokens.some(({ id, name, hash }) => id === record.id || name === record.name || hash === record.hash)) return false;
      change([...tokens, { ...record }]);
      return true;
    },
    async rename(id, name) {
      if (!tokens.some((token) => token.id === id) || tokens.some((token) => token.name === name && token.id !== id)) return false;
      change(tokens.map((token) => (token.id === id ? { ...token, name } : token)));
      return true;
    },
    async remove(id) {
      const left = tokens.filter((token) => token.id !== id);
      if (left.length === tokens.length) return false;
      change(left);
      for (const listener of [...listeners]) listener(id);
      return true;
    },
    touch: touchTogether(async (uses) => {
      if (!tokens.some(({ id }) => uses.has(id))) return;
      change(tokens.map((token) => (uses.has(token.id) ? { ...token, lastUsedAt: uses.get(token.id) ?? null } : token)));
    }),
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

const isEqual = (one: Buffer, other: Buffer) => one.length === other.length && timingSafeEqual(one, other);

/**
 * Returns a `touch` that saves all uses of one turn of the event loop in one go: every write rewrites the whole list, and hundreds of tokens
 * are in use at once.
 */
export function touchTogether(save: (uses: ReadonlyMap<string, number>) => Promise<void>): (id: string, at: number) => Promise<void> {
  let uses = new Map<string, number>();
  let saving: Promise<void> | undefined;
  return (id, at) => {
    uses.set(id, at);
    saving ??= Promise.resolve().then(() => {
      const batch = uses;
      uses = new Map();
      saving = undefined;
      return save(batch);
    });
    return saving;
  };
}
