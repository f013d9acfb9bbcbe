import type { SessionStore } from "../../ports/store.ts";
import { assert, assertEqual, type ContractCase } from "../contract.ts";
import { settled } from "../fixtures.ts";
import { anEntry } from "./audit.ts";
import { aDraft, assertStored, type DurableStoreHarness, insertAll, numbered, sessionId } from "./harness.ts";

function twoWriterCase(name: string, run: (one: SessionStore, other: SessionStore) => Promise<void>): ContractCase<DurableStoreHarness> {
  return {
    name,
    async run(harness) {
      const one = await harness.open();
      try {
        const other = await harness.reopen();
        try {
          await run(one, other);
        } finally {
          await other.close();
        }
      } finally {
        await one.close();
      }
    },
  };
}

const pending = numbered(1);

/**
 * The additional contract of a store that several processes can open at once. Subscribers need not receive changes made by another store
 * object: that depends on the store.
 */
export const severalWritersContract: readonly ContractCase<DurableStoreHarness>[] = [
  twoWriterCase("lets exactly one of two writers win every round", async (one, other) => {
    let current = numbered(1);
    await insertAll(one, [current]);
    for (let round = 0; round < 10; round += 1) {
      const next = (name: string) => ({ ...current, revision: current.revision + 1, context: { deadlineAt: round }, digest: name });
      const rivals = [next("one"), next("other")] as const;
      const verdicts = await Promise.all([one.replace(rivals[0], current.revision), other.replace(rivals[1], current.revision)]);
      assertEqual(verdicts.filter((won) => won).length, 1, `the number of winners of round ${round}`);
      current = verdicts[0] ? rivals[0] : rivals[1];
      await assertStored(one, current, `the session as the one writer sees it after round ${round}`);
      await assertStored(other, current, `the session as the other writer sees it after round ${round}`);
    }
  }),

  twoWriterCase("gives an id and a key to one of two writers", async (one, other) => {
    const claims = await Promise.all([one.insert(numbered(1, { key: "k" })), other.insert(numbered(2, { key: "k" }))]);
    assertEqual(claims.filter(({ inserted }) => inserted).length, 1, "the number of sessions with the key");
    const twins = await Promise.all([one.insert(numbered(3)), other.insert(numbered(3, { digest: "other" }))]);
    assertEqual(twins.filter(({ inserted }) => inserted).length, 1, "the number of sessions with the id");
    assertEqual(await one.count({}), 2, "the number of sessions");
  }),

  twoWriterCase("gives each position in the audit log to one of two writers", async (one, other) => {
    for (let number = 1; number <= 5; number += 1) {
      const rivals = [numbered(2 * number), numbered(2 * number + 1)] as const;
      const entry = anEntry(number);
      const verdicts = await Promise.allSettled([one.insert(rivals[0], { entry }), other.insert(rivals[1], { entry })]);
      assertEqual(verdicts.map(({ status }) => status).sort(), ["fulfilled", "rejected"], `what came of round ${number}`);
    }
    assertEqual(await one.audit.list(0, 10), await other.audit.list(0, 10), "the record as both see it");
    assertEqual((await one.audit.list(0, 10)).length, 5, "the number of entries");
    assertEqual(await one.count({}), 5, "the number of sessions that were written");
  }),

  twoWriterCase("shows a writer at once what the other wrote", async (one, other) => {
    await insertAll(one, [pending]);
    await assertStored(other, pending, "the session as the other sees it");
    assert(await other.putDraft(aDraft(pending.id), 0), "the other's draft should have been put");
    assertEqual(await one.getDraft(pending.id), aDraft(pending.id), "the draft as the one sees it");
    assert(await other.replace(settled(pending), 1), "the other's replace should have been done");
    assertEqual((await one.get(pending.id))?.state, "answered", "the state as the one sees it");
    assertEqual(await one.putDraft(aDraft(pending.id, { revision: 2 }), 1), false, "a draft for a session the other settled");
    assertEqual(await one.get(sessionId(5)), undefined, "a session that nobody wrote");
  }),
];
