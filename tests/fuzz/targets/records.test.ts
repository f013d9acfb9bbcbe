import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { createBroker, memoryStore } from "@askbox/core";
import { draftSchema, sessionViewSchema } from "@askbox/core/schemas";
import { readRecord } from "@askbox/core/stores";
import { aRecord, settled, testPlatform } from "@askbox/core/testing";
import { fuzz } from "../engine/fuzz.ts";
import { mutated } from "../engine/mutated.ts";
import { writeOut } from "../engine/odd.ts";
import { assertReadable, fault, orRefusal } from "../engine/oracle.ts";

const fixture = (name: string) => JSON.parse(readFileSync(resolve("packages/core/test/fixtures", name), "utf8"));
const reply = { answers: [], comment: "late", by: { surface: "web" as const, name: "ada" }, at: 1_700_000_400_000 };
const samples = [
  fixture("record-1.json"),
  fixture("record-1-types.json"),
  aRecord({ key: "k" }),
  { ...settled(aRecord()), reply, seenAt: 5 },
  settled(aRecord(), { kind: "cancelled", reason: "no", by: { surface: "cli" }, at: 1_700_000_001_000 }),
].flat();

/** Anything a store may find in its rows: read, or rejected with a sentence; records that were read are processed normally. */
fuzz({
  name: "records",
  input: mutated(samples, { damage: 0 }),
  runs: 150,
  open: () => ({
    async take(template) {
      const stored: unknown = JSON.parse(writeOut(template));
      const record = await orRefusal(() => readRecord(stored));
      if (record === undefined) return;
      const again = readRecord(JSON.parse(JSON.stringify(record)));
      if (JSON.stringify(again) !== JSON.stringify(record)) fault("A record that was read, written and read again is another.");
      const store = memoryStore();
      await store.insert(record);
      await assertReadable(store);
      const platform = testPlatform();
      const broker = await createBroker({ store, ...platform });
      try {
        const desk = broker.desk({ surface: "web" });
        await desk.watch({}, (event) => {
          if (event.type === "snapshot") for (const draft of event.drafts) draftSchema.parse(draft);
        });
        for (const item of (await desk.list({ text: "x" })).items) sessionViewSchema.parse(item);
        for (const item of (await desk.list()).items) {
          sessionViewSchema.parse(item);
          await orRefusal(() => desk.answer(item.id, { answers: item.questions.map(({ id }) => ({ questionId: id, values: ["x"] })) }));
        }
        await platform.clock.advance(1_000);
      } finally {
        await broker.close();
      }
      await assertReadable(store);
    },
  }),
});
