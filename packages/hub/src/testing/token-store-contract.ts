import { assert, assertEqual, type ContractCase } from "@askbox/core/testing";
import { hashToken } from "../auth/access.ts";
import type { TokenRecord, TokenStore } from "../auth/named-tokens.ts";

export interface TokenStoreHarness {
  /** An empty store; called once per case. */
  open(): Promise<TokenStore>;
}

/** A test token, identified by its number. */
function numbered(number: number, changes: Partial<TokenRecord> = {}): TokenRecord {
  return {
    id: `000000000000000${number}`,
    name: `token-${number}`,
    scope: "asker",
    createdAt: 1_000 + number,
    expiresAt: null,
    lastUsedAt: null,
    hash: hashToken(`abx_${number}`),
    ...changes,
  };
}

const byId = (records: readonly TokenRecord[]) => [...records].sort((one, other) => (one.id < other.id ? -1 : 1));

function tokenCase(name: string, run: (store: TokenStore) => Promise<void>): ContractCase<TokenStoreHarness> {
  return { name, run: async (harness) => run(await harness.open()) };
}

/** The contract of every `TokenStore`. */
export const tokenStoreContract: readonly ContractCase<TokenStoreHarness>[] = [
  tokenCase("stores a token exactly as inserted, and finds it by its hash", async (store) => {
    const record = numbered(1, { agentId: "builder", shared: true, expiresAt: 5_000, lastUsedAt: 2_000, scope: "asker" });
    assertEqual(await store.insert(record), true, "the insert");
    assertEqual(await store.find(record.hash), record, "the token by its hash");
    assertEqual(await store.list(), [record], "the list");
  }),

  tokenCase("finds nothing by an unknown hash or by part of a hash", async (store) => {
    const record = numbered(1);
    await store.insert(record);
    for (const hash of [numbered(2).hash, record.hash.slice(1), `${record.hash}0`, ""]) {
      assertEqual(await store.find(hash), undefined, `the token by ${JSON.stringify(hash)}`);
    }
  }),

  tokenCase("accepts each id, name and hash only once", async (store) => {
    const record = numbered(1);
    await store.insert(record);
    const { id, name, hash } = record;
    for (const taken of [{ id }, { name }, { hash }]) assertEqual(await store.insert(numbered(2, taken)), false, "what is taken");
    assertEqual(await store.list(), [record], "the list");
    assertEqual(await store.find(numbered(2).hash), undefined, "the rejected token");
  }),

  tokenCase("accepts only one of two concurrent inserts with the same name", async (store) => {
    const went = await Promise.all([1, 2].map((number) => store.insert(numbered(number, { name: "ci" }))));
    assertEqual(went.filter(Boolean).length, 1, "the number of accepted inserts");
    assertEqual((await store.list()).length, 1, "the number of tokens");
  }),

  tokenCase("removes a token permanently and frees its name", async (store) => {
    await store.insert(numbered(1));
    await store.insert(numbered(2));
    assertEqual(await store.remove(numbered(1).id), true, "the removal");
    assertEqual(await store.remove(numbered(1).id), false, "the second removal");
    assertEqual(await store.find(numbered(1).hash), undefined, "the removed token");
    assertEqual(await store.insert(numbered(3, { name: "token-1" })), true, "its name for another token");
    assertEqual(byId(await store.list()), [numbered(2), numbered(3, { name: "token-1" })], "the list");
  }),

  tokenCase("renames a token, unless the name is taken or the token gone", async (store) => {
    await store.insert(numbered(1));
    await store.insert(numbered(2));
    assertEqual(await store.rename(numbered(1).id, "token-2"), false, "a name that is taken");
    assertEqual(await store.rename(numbered(1).id, "laptop"), true, "the new name");
    assertEqual(await store.find(numbered(1).hash), numbered(1, { name: "laptop" }), "the renamed token");
    assertEqual(await store.insert(numbered(3, { name: "token-1" })), true, "the old name for another token");
    assertEqual(await store.rename(numbered(4).id, "other"), false, "a token that is not there");
  }),

  tokenCase("updates the last use of a token without restoring a removed one", async (store) => {
    await store.insert(numbered(1));
    await store.touch(numbered(1).id, 9_000);
    assertEqual(await store.find(numbered(1).hash), numbered(1, { lastUsedAt: 9_000 }), "the token that was used");
    await store.remove(numbered(1).id);
    await store.touch(numbered(1).id, 9_500);
    assertEqual(await store.list(), [], "the list after a removed token was used");
  }),

  tokenCase("publishes each removal once, and none after unsubscribing", async (store) => {
    const told: string[] = [];
    const stop = store.subscribe((id) => told.push(id));
    await store.insert(numbered(1));
    await store.insert(numbered(2));
    await store.remove(numbered(1).id);
    await store.remove(numbered(1).id);
    // With several hubs, the event may come from another machine.
    for (let look = 0; told.length === 0 && look < 100_000; look += 1) await store.list();
    stop();
    await store.remove(numbered(2).id);
    assertEqual(told, [numbered(1).id], "what was told");
  }),

  tokenCase("returns copies", async (store) => {
    await store.insert(numbered(1));
    const [listed] = await store.list();
    const found = await store.find(numbered(1).hash);
    assert(listed !== undefined && found !== undefined, "the token exists");
    listed.name = "changed";
    found.scope = "desk";
    assertEqual(await store.list(), [numbered(1)], "the list after changing returned copies");
  }),
];
