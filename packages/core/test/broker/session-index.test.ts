import { memoryStore, type SessionStore } from "@askbox/core";
import { severalHubs } from "@askbox/core/hubs";
import { type StoreQuery, sharedMemory } from "@askbox/core/stores";
import { anAsker, anOutcome, aRecord, fakeClock, settled } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";
import { aHub, text, textOnly } from "./support.ts";

/** The lists that asks read, besides those of pending sessions at the start. */
function aReadStore() {
  const lists: StoreQuery[] = [];
  const change = (store: SessionStore): Partial<SessionStore> => ({
    list(query) {
      if (query.owner !== undefined) lists.push(query);
      return store.list(query);
    },
  });
  return { lists, change };
}
const asking = { asker: anAsker(), maxWait: 0 };
const titled = (title: string) => textOnly({ title });

describe("what the only hub asks its store", () => {
  test("is once whether a scope has something undelivered, and nothing while there is none", async () => {
    const { lists, change } = aReadStore();
    const { asker } = await aHub(change);
    for (const title of ["a", "b", "c"]) await asker.ask(titled(title), asking);
    expect(lists).toHaveLength(1);
  });

  test("is each time whether there is an equal ask, if it shares a state with other hubs", async () => {
    const { lists, change } = aReadStore();
    const { asker } = await aHub(change, { hubs: severalHubs(sharedMemory(fakeClock()).open()) });
    for (const title of ["a", "b"]) await asker.ask(titled(title), asking);
    expect(lists).toHaveLength(6);
  });

  test("is each time, once the store has reported a change without its session", async () => {
    const { lists, change } = aReadStore();
    const { asker } = await aHub((store) => ({
      ...change(store),
      subscribe: (listener) => store.subscribe(({ id, revision }) => listener({ id, revision })),
    }));
    await asker.ask(titled("a"), asking);
    lists.length = 0;
    await asker.ask(titled("b"), asking);
    expect(lists).toHaveLength(3);
  });

  test("finds an equal ask of an earlier hub", async () => {
    const store = memoryStore();
    const first = await aHub(() => store);
    const { session } = await first.opened();
    await first.broker.close();
    const { asker } = await aHub(() => store);
    expect(await asker.ask(textOnly(), asking)).toMatchObject({ joined: true, session: { id: session.id } });
  });

  test("finds an answer that came while nobody waited, and an outcome for the next ask", async () => {
    const { asker, broker, desk } = await aHub();
    const [one, other] = [await asker.ask(titled("a"), asking), await asker.ask(titled("b"), asking)];
    asker.close();
    await desk.answer(one.session.id, text());
    await desk.answer(other.session.id, text());
    const late = await broker.asker("owner-1").ask(titled("a"), asking);
    expect([late.late, late.session.id, late.earlier.map(({ id }) => id)]).toEqual([true, one.session.id, [other.session.id]]);
  });

  test("finds what is undelivered if it came while the store was read", async () => {
    const first = await aHub();
    const { scope } = (await first.asker.ask(titled("a"), asking)).session;
    let isAnswered = false;
    const { asker } = await aHub((memory) => ({
      async list(query) {
        const page = await memory.list(query);
        if (query.undelivered === true && !isAnswered) {
          isAnswered = true;
          await memory.insert(settled(aRecord({ id: "meanwhile", scope }), anOutcome()));
        }
        return page;
      },
    }));
    expect((await asker.ask(titled("b"), asking)).earlier.map(({ id }) => id)).toEqual(["meanwhile"]);
  });

  test("is each time for a scope with a hundred undelivered outcomes, which are handed over all the same", async () => {
    const { asker, store } = await aHub();
    const { scope } = (await asker.ask(titled("a"), asking)).session;
    for (let number = 1; number <= 100; number += 1) {
      await store.insert(settled(aRecord({ id: `old-${String(number).padStart(3, "0")}`, scope, createdAt: number }), anOutcome()));
    }
    const handed: string[] = [];
    for (let next = 1; next <= 6; next += 1) {
      const { earlier, ack } = await asker.collect(anAsker());
      handed.push(...earlier.map(({ id }) => id));
      await ack();
    }
    expect([handed.length, new Set(handed).size, handed[0], handed.at(-1)]).toEqual([100, 100, "old-001", "old-100"]);
  });

  test("is again what is undelivered, once old sessions were removed", async () => {
    const { lists, change } = aReadStore();
    const { asker, store } = await aHub(change);
    const { scope } = (await asker.ask(titled("a"), asking)).session;
    await store.insert(settled(aRecord({ id: "old", scope }), anOutcome({ at: 1 })));
    await store.remove({ closedBefore: 2 });
    lists.length = 0;
    for (const title of ["b", "c"]) await asker.ask(titled(title), asking);
    expect(lists).toHaveLength(1);
  });
});
