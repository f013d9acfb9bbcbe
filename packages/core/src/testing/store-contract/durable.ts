import type { SessionStore } from "../../ports/store.ts";
import { assert, assertEqual, type ContractCase } from "../contract.ts";
import { anOutcome, settled } from "../fixtures.ts";
import { anEntry, decide } from "./audit.ts";
import { aDraft, assertStored, type DurableStoreHarness, insertAll, numbered, startOfTime } from "./harness.ts";
import { oddTexts } from "./texts.ts";

function reopenCase(
  name: string,
  write: (store: SessionStore) => Promise<void>,
  read: (store: SessionStore) => Promise<void>,
): ContractCase<DurableStoreHarness> {
  return {
    name,
    async run(harness) {
      const first = await harness.open();
      try {
        await write(first);
      } finally {
        await first.close();
      }
      const second = await harness.reopen();
      try {
        await read(second);
      } finally {
        await second.close();
      }
    },
  };
}

const pending = numbered(1, { key: "k", context: { deadlineAt: startOfTime + 60_000 } });
const answered = settled(numbered(2), anOutcome({ comment: Object.values(oddTexts).join("") }));
const delivered = { ...settled(numbered(3)), delivery: { deliveredAt: startOfTime + 9_000, callId: "call-1" } };

/** The additional contract of a store that outlives its process. */
export const durableStoreContract: readonly ContractCase<DurableStoreHarness>[] = [
  reopenCase(
    "has every session and draft after it is reopened",
    async (store) => {
      await insertAll(store, [pending, answered, delivered]);
      assert(await store.putDraft(aDraft(pending.id), 0), "the draft should have been put");
    },
    async (store) => {
      for (const record of [pending, answered, delivered]) await assertStored(store, record, record.id);
      assertEqual(await store.listDrafts(), [aDraft(pending.id)], "the drafts");
    },
  ),

  reopenCase(
    "returns every type of question unchanged after it is reopened",
    (store) => insertAll(store, [pending, answered, delivered]),
    async (store) => {
      assertEqual(await store.due(startOfTime + 60_000, 10), [{ id: pending.id, deadlineAt: startOfTime + 60_000 }], "due");
      assertEqual((await store.list({ undelivered: true })).sessions, [answered], "undelivered");
      assertEqual((await store.list({ text: "löng" })).sessions, [answered], "found by text");
      assertEqual(await store.count({ states: ["pending"] }), 1, "the number pending");
      assertEqual(await store.insert(numbered(9, { key: "k" })), { inserted: false, existing: pending }, "a session of a taken key");
      assertEqual(await store.replace(settled(pending), 2), false, "a stale replace");
      assertEqual(await store.replace(settled(pending), 1), true, "a replace");
    },
  ),

  reopenCase(
    "has the audit log after it is reopened, and continues it",
    async (store) => {
      await decide(store, 1);
      await decide(store, 2);
    },
    async (store) => {
      await decide(store, 3);
      assertEqual(
        await store.audit.list(0, 10),
        [1, 2, 3].map((number) => anEntry(number)),
        "the entries",
      );
    },
  ),

  reopenCase(
    "has no removed session after it is reopened",
    async (store) => {
      await insertAll(store, [pending, answered]);
      await store.remove({ closedBefore: Number.MAX_SAFE_INTEGER });
    },
    async (store) => assertEqual((await store.list({})).sessions, [pending], "the sessions"),
  ),
];
