import { randomBytes } from "node:crypto";
import { AskboxError, type CancelTimer, type Clock, type Log } from "@askbox/core";
import type { Guarantor } from "./login-codes.ts";
import type { TokenRecord, TokenStore } from "./token-record.ts";
import { type Access, createToken, hashToken, type Scope } from "./tokens.ts";
import type { Uses } from "./uses.ts";

/** Precision of a token's last use, in ms; coarse, so that it is rarely written. */
const usedWithin = 600_000;
/** How long uses are collected before they are saved together, in ms. Random, since all tokens become due at the same moment at all hubs. */
const [minDelay, maxDelay] = [10_000, 60_000];
const maxTokens = 500;

/** A token as listed for its owner: everything but the token itself. Times are wall time in ms since the epoch. */
export interface NamedToken {
  id: string;
  name: string;
  scope: Scope;
  agentId?: string;
  shared?: true;
  onBehalf?: true;
  createdAt: number;
  expiresAt: number | null;
  /** Rounded down to 10 minutes. */
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
    const { id, name, scope, agentId, shared, onBehalf, expiresAt } = record;
    return { owner: ownerOf(id), scopes: [scope], name, agentId, shared, onBehalf, expiresAt: expiresAt ?? undefined };
  }

  /**
   * Creates a token, which cannot be shown again. A token created by a guarantor ends when the guarantor expires or is revoked. Throws
   * `CONFLICT` if the name is taken, `VALIDATION`, and what the store throws.
   */
  async create(
    { name, scope, expiresIn, agentId, shared, onBehalf }: TokenSettings,
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

  /** All tokens, newest first. */
  async list(): Promise<NamedToken[]> {
    const records = await this.#options.store.list();
    for (const record of records) if (this.#isExpired(record)) await this.#noteExpired(record);
    return records.sort((one, other) => other.createdAt - one.createdAt).map((record) => this.#shown(record));
  }

  /** Revokes a token by id or name; running requests that use it end at once. Returns undefined if there is none. */
  async revoke(idOrName: string): Promise<NamedToken | undefined> {
    const { store, uses, log } = this.#options;
    const records = await store.list();
    const record = records.find(({ id }) => id === idOrName) ?? records.find(({ name }) => name === idOrName);
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
  }

  #touch({ id, lastUsedAt }: TokenRecord): void {
    const { clock } = this.#options;
    const at = Math.floor(clock.now() / usedWithin) * usedWithin;
    if (at === (this.#used.get(id) ?? lastUsedAt)) return;
    this.#used.set(id, at);
    this.#cancelSave ??= clock.setTimer(minDelay + Math.random() * (maxDelay - minDelay), () => this.#saveUses());
  }

  #saveUses(): void {
    const { store, log } = this.#options;
    this.#cancelSave?.();
    this.#cancelSave = undefined;
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

const ownerOf = (id: string) => `token:${id}`;
