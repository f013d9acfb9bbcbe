import type { SessionStore, StoreQuery, TallyShare } from "../../ports/store.ts";
import type { Outcome } from "../../session/outcome.ts";
import type { SessionRecord } from "../../session/record.ts";
import { assert, assertEqual, assertRejects, type ContractCase } from "../contract.ts";
import { anAsk, anOutcome, settled } from "../fixtures.ts";
import { askedBy, insertAll, numbered, type StoreHarness, sessionId, startOfTime, storeCase } from "./harness.ts";

async function numbersOf(store: SessionStore, query: StoreQuery): Promise<number[]> {
  const { sessions } = await store.list(query);
  return sessions.map(({ id }) => Number(id.slice("contract".length, -"xyz".length)));
}

/** `list` and `count`. */
export const listingCases: readonly ContractCase<StoreHarness>[] = [
  storeCase("lists nothing when it is empty", async (store) => {
    assertEqual(await store.list({}), { sessions: [] }, "an empty list");
    assertEqual(await store.count({}), 0, "its count");
  }),

  storeCase("filters by each field, and by all of them together", async (store) => {
    await insertAll(store, [
      numbered(1),
      numbered(2, { owner: "owner-2" }),
      numbered(3, { scope: "scope-2" }),
      numbered(4, { digest: "digest-2" }),
      numbered(5, { key: "key-2" }),
      askedBy(6, { project: "/srv/other" }),
      askedBy(7, { agentId: "agent-2" }),
      askedBy(8, { client: { name: "other-client" }, branch: "build-7" }),
      askedBy(
        9,
        { client: { name: "other-client" }, agentId: "agent-2", project: "/srv/other", machine: "build-7" },
        { owner: "owner-2", scope: "scope-2", digest: "digest-2", key: "key-2" },
      ),
    ]);
    const queries: [StoreQuery, number[]][] = [
      [{ owner: "owner-2" }, [9, 2]],
      [{ scope: "scope-2" }, [9, 3]],
      [{ digest: "digest-2" }, [9, 4]],
      [{ key: "key-2" }, [9, 5]],
      [{ project: "/srv/other" }, [9, 6]],
      [{ agentId: "agent-2" }, [9, 7]],
      [{ clientName: "other-client" }, [9, 8]],
      [{ machine: "build-7" }, [9]],
      [{ machine: "build-7", project: "/home/ada/engine" }, []],
      [{ states: ["pending"], owner: "owner-2", scope: "scope-2", digest: "digest-2", key: "key-2" }, [9]],
      [{ project: "/srv/other", agentId: "agent-2", clientName: "other-client" }, [9]],
      [{ owner: "owner-2", digest: "digest-1" }, [2]],
      [{ owner: "nobody" }, []],
      [{ project: "/srv" }, []],
    ];
    for (const [query, expected] of queries) assertEqual(await numbersOf(store, query), expected, JSON.stringify(query));
    assertEqual(await store.count({ states: ["pending"], owner: "owner-2" }), 2, "the count by owner");
    assertEqual(await store.count({ states: ["pending"], agentId: "agent-2" }), 2, "the count by agent");
    assertEqual(await store.count({ states: ["answered"] }), 0, "the count of answered sessions");
    assertEqual(await store.count({ owner: "owner-1", scope: "scope-1", agentId: "agent-1" }), 5, "the count by all");
  }),

  storeCase("counts the settled sessions of some days, whatever their number", async (store) => {
    if (store.tally === undefined) return;
    const day = 86_400_000;
    const ended = (number: number, createdAt: number, outcome: Partial<Outcome>, asker: Partial<SessionRecord["asker"]> = {}) => {
      const at = createdAt + 1_000 * number;
      return settled(askedBy(number, asker, { createdAt }), { ...anOutcome(), ...outcome, at } as Outcome);
    };
    const denied = (number: number, outcome: Partial<Outcome>): SessionRecord => {
      const record = ended(number, startOfTime, outcome);
      const denial = { reviewer: "auto mode", status: "denied" } as const;
      const action = { kind: "command", command: "ls" } as const;
      const question = { id: "q", type: "approval", question: "Overrule that?", required: true, action, denial } as const;
      return { ...record, key: `denial:${number}`, request: { ...record.request, questions: [question] } };
    };
    const said = (value: string): Partial<Outcome> => ({ kind: "answered", answers: [{ questionId: "q", values: [value] }] });
    const elsewhere = ended(4, startOfTime + day, { kind: "cancelled", by: { surface: "asker" } });
    await insertAll(store, [
      ended(1, startOfTime - 0.5, {}),
      ended(2, startOfTime, {}),
      ended(3, startOfTime + day - 0.5, { kind: "cancelled", by: { surface: "cli" } }),
      { ...elsewhere, asker: { client: { name: "other-client" } } },
      ended(9, startOfTime + day + 0.25, {}, { client: { name: "other-client" } }),
      ended(10, startOfTime + 3 * day, { kind: "timedOut", by: { surface: "deadline" } }, { client: { name: "other-client" } }),
      numbered(11, { createdAt: startOfTime + day }),
      denied(5, said("allow")),
      denied(6, said("deny")),
      denied(7, { kind: "timedOut", by: { surface: "deadline" } }),
    ]);
    const counts = (answered: number, cancelled: number, withdrawn: number, timeouts: number) => ({
      answered,
      cancelled,
      withdrawn,
      timedOut: timeouts,
    });
    const tally = await store.tally([startOfTime, startOfTime + day]);
    assertEqual([tally.total, tally.counts], [5, counts(2, 1, 1, 1)], "what came of them");
    assertEqual(tally.denials, { overruled: 1, agreed: 1, stands: 1 }, "what became of denials");
    assertEqual(
      tally.days,
      [
        { day: startOfTime, counts: counts(1, 1, 0, 0) },
        { day: startOfTime + day, counts: counts(1, 0, 1, 1) },
      ],
      "the days",
    );
    assertEqual([tally.median, tally.p90, tally.bins[0]?.count], [2_000, 9_000, 2], "the times to answer");
    const shares = (list: readonly TallyShare[]) => list.map(({ name, total, median }) => [name, total, median]);
    assertEqual(
      shares(tally.clients),
      [
        ["other-client", 3, 9_000],
        ["test-client", 2, 2_000],
      ],
      "by client",
    );
    assertEqual(
      shares(tally.projects),
      [
        ["/home/ada/engine", 4, 2_000],
        [undefined, 1, undefined],
      ],
      "by project",
    );
    assertEqual((await store.tally([startOfTime + 9 * day])).total, 0, "the count of a later day");
  }),

  storeCase("filters by one state or several", async (store) => {
    const records = [numbered(1), numbered(2), numbered(3), numbered(4)];
    await insertAll(store, records);
    const [, second, third, fourth] = records;
    assert(second && third && fourth, "the case's own sessions");
    await store.replace(settled(second), 1);
    await store.replace(settled(third, { kind: "cancelled", by: { surface: "cli" }, at: startOfTime }), 1);
    await store.replace(settled(fourth, { kind: "timedOut", by: { surface: "deadline" }, at: startOfTime }), 1);
    assertEqual(await numbersOf(store, { states: ["pending"] }), [1], "pending");
    assertEqual(await numbersOf(store, { states: ["answered"] }), [2], "answered");
    assertEqual(await numbersOf(store, { states: ["cancelled", "timedOut"] }), [4, 3], "cancelled or timed out");
    assertEqual(await numbersOf(store, { states: ["pending", "answered", "cancelled", "timedOut"] }), [4, 3, 2, 1], "any state");
    assertEqual(await numbersOf(store, { states: [] }), [], "none of the states");
    assertEqual(await store.count({ states: ["answered", "pending"] }), 2, "the count of two states");
  }),

  storeCase("treats a settled session as undelivered until its outcome, and any reply, has been handed over", async (store) => {
    const delivery = { deliveredAt: startOfTime + 90_000 };
    const reply = { answers: [], comment: "too late", by: { surface: "web" as const }, at: startOfTime + 95_000 };
    const variants = [
      numbered(1),
      settled(numbered(2)),
      { ...settled(numbered(3)), delivery },
      { ...settled(numbered(4)), delivery, reply },
      { ...settled(numbered(5)), delivery, reply: { ...reply, deliveredAt: startOfTime + 99_000 } },
      { ...settled(numbered(6)), scope: "scope-2" },
    ];
    await insertAll(store, variants);
    assertEqual(await numbersOf(store, { undelivered: true }), [6, 4, 2], "undelivered");
    assertEqual(await numbersOf(store, { undelivered: true, scope: "scope-1", order: "oldest" }), [2, 4], "undelivered of one scope");
    assertEqual(await numbersOf(store, { undelivered: false }), [5, 3, 1], "the others");
    const delivered = { ...settled(numbered(2)), revision: 3, delivery };
    assertEqual(await store.replace(delivered, 2), true, "the delivery");
    assertEqual(await numbersOf(store, { undelivered: true }), [6, 4], "undelivered after one was handed over");
  }),

  storeCase("treats a session as undelivered until a person's message has been handed over, even while pending", async (store) => {
    const message = { id: "m-1", text: "Why not Postgres?", by: { surface: "web" as const }, at: startOfTime };
    const delivered = { ...message, deliveredAt: startOfTime + 1 };
    const reply = { ...message, by: { surface: "asker" as const } };
    await insertAll(store, [
      numbered(1, { thread: [message] }),
      numbered(2, { thread: [delivered, reply] }),
      { ...settled(numbered(3, { thread: [delivered, message] })), delivery: { deliveredAt: startOfTime + 2 } },
      numbered(4, { thread: [message], replacedBy: "another" }),
    ]);
    assertEqual(await numbersOf(store, { undelivered: true }), [3, 1], "undelivered");
    assertEqual(await numbersOf(store, { undelivered: true, states: ["pending"], scope: "scope-1" }), [1], "of those that are pending");
    assertEqual(await numbersOf(store, { text: "why not postgres" }), [4, 3, 2, 1], "what a search for its words finds");
    await store.replace(numbered(1, { revision: 2, thread: [delivered] }), 1);
    assertEqual(await numbersOf(store, { undelivered: true }), [3], "undelivered after it was handed over");
  }),

  storeCase("finds an approval by the command that it asks about", async (store) => {
    const action = { kind: "command", tool: "Bash", command: "rm -rf build", input: { command: "rm -rf build" } } as const;
    const question = { id: "q_1", type: "approval", question: "May it run?", required: true, editable: false, action } as const;
    await insertAll(store, [numbered(1, { request: anAsk({ questions: [question] }) }), numbered(2)]);
    assertEqual(await numbersOf(store, { text: "bash rm" }), [1], "what is found");
  }),

  storeCase("omits only the excluded sessions from a list, on any of its pages", async (store) => {
    await insertAll(
      store,
      [1, 2, 3, 4, 5].map((number) => settled(numbered(number))),
    );
    const passed = new Set([numbered(2).id, numbered(4).id]);
    const query = { undelivered: true, order: "oldest", limit: 2, skip: (id: string) => passed.has(id) } as const;
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await store.list({ ...query, cursor });
      found.push(...page.sessions.map(({ id }) => id).filter((id) => !passed.has(id)));
      cursor = page.next;
    } while (cursor !== undefined);
    assertEqual(
      found,
      [1, 3, 5].map((number) => numbered(number).id),
      "the others",
    );
  }),

  storeCase("lists the sessions settled at or after a time", async (store) => {
    await insertAll(store, [
      numbered(1),
      settled(numbered(2), anOutcome({ at: 999 })),
      settled(numbered(3), anOutcome({ at: 1_000 })),
      settled(numbered(4), anOutcome({ at: 1_001 })),
    ]);
    assertEqual(await numbersOf(store, { closedSince: 1_000 }), [4, 3], "closed since");
  }),

  storeCase("finds text in every searchable part, ignoring case", async (store) => {
    const question = { id: "q", type: "text" as const, required: true };
    const replied = { answers: [{ questionId: "q_text", values: ["Reply-Needle"] }], by: { surface: "web" as const }, at: startOfTime };
    await insertAll(store, [
      numbered(1, { request: anAsk({ title: "Title-Needle" }) }),
      numbered(2, { request: anAsk({ questions: [{ ...question, question: "What of the Question-Needle?" }] }) }),
      settled(numbered(3), anOutcome({ answers: [{ questionId: "q_text", values: ["Answer-Needle"] }] })),
      settled(numbered(4), anOutcome({ answers: [{ questionId: "q_select", values: [], customText: "Other-Needle" }] })),
      { ...settled(numbered(5), { kind: "timedOut", by: { surface: "deadline" }, at: startOfTime }), reply: replied },
      askedBy(6, { project: "/srv/Project-Needle" }),
      askedBy(7, { branch: "Branch-Needle" }),
      askedBy(8, { agentId: "Agent-Needle" }),
      askedBy(9, { client: { name: "Client-Needle" } }),
    ]);
    const parts = ["title", "question", "answer", "other", "reply", "project", "branch", "agent", "client"];
    for (const [index, part] of parts.entries()) {
      assertEqual(await numbersOf(store, { text: `${part.toUpperCase()}-needle` }), [index + 1], `text in the ${part}`);
    }
    assertEqual(await numbersOf(store, { text: "needle" }), [9, 8, 7, 6, 5, 4, 3, 2, 1], "text in any part");
    assertEqual(await numbersOf(store, { text: "needle", project: "/srv/Project-Needle" }), [6], "text with another filter");
    assertEqual(await numbersOf(store, { text: " needle  PROJECT " }), [6], "words apart from each other");
    assertEqual(await numbersOf(store, { text: "needle haystack" }), [], "one word of two");
    assertEqual(await numbersOf(store, { text: "haystack" }), [], "text that is nowhere");
  }),

  storeCase("ignores case beyond ASCII", async (store) => {
    await insertAll(store, [numbered(1, { request: anAsk({ title: "ÄRGER mit ПРИВЕТ" }) })]);
    assertEqual(await numbersOf(store, { text: "ärger" }), [1], "a Latin letter");
    assertEqual(await numbersOf(store, { text: "Привет" }), [1], "a Cyrillic word");
  }),

  storeCase("takes wildcards, quotes and backslashes in a search literally", async (store) => {
    const titles = ["100% sure", "100 sure", "snake_case", "snakeXcase", `a "quoted" 'word'`, "C:\\temp", "C:/temp", "a*b?c[d]"];
    await insertAll(
      store,
      titles.map((title, index) => numbered(index, { request: anAsk({ title }) })),
    );
    const needles: [string, number[]][] = [
      ["100%", [0]],
      ["e_c", [2]],
      [`"quoted" '`, [4]],
      ["c:\\T", [5]],
      ["*b?c[", [7]],
      ["%", [0]],
      ["_", [2]],
    ];
    for (const [text, expected] of needles) {
      // The fixtures' own project, branch and client contain none of these characters.
      assertEqual(await numbersOf(store, { text }), expected, `the text ${text}`);
    }
  }),

  storeCase("finds sessions by an id prefix", async (store) => {
    await insertAll(
      store,
      ["abcd1", "abcd2", "abce1", "ABCD3", "ab%d1"].map((id, index) => numbered(index, { id })),
    );
    const found = async (idPrefix: string) => (await store.list({ idPrefix, order: "oldest" })).sessions.map(({ id }) => id);
    assertEqual(await found("abcd"), ["abcd1", "abcd2"], "a shared beginning");
    assertEqual(await found("abcd2"), ["abcd2"], "a whole id");
    assertEqual(await found("abcd22"), [], "more than a whole id");
    assertEqual(await found("ab%d"), ["ab%d1"], "a wildcard");
    assertEqual((await found("")).length, 5, "an empty beginning");
  }),

  storeCase("orders by creation, then id, newest first by default", async (store) => {
    await insertAll(store, [
      numbered(3, { createdAt: 2_000 }),
      numbered(1, { createdAt: 3_000 }),
      numbered(4, { createdAt: 2_000 }),
      numbered(2, { createdAt: 1_000.5 }),
    ]);
    assertEqual(await numbersOf(store, {}), [1, 4, 3, 2], "by default");
    assertEqual(await numbersOf(store, { order: "newest" }), [1, 4, 3, 2], "newest first");
    assertEqual(await numbersOf(store, { order: "oldest" }), [2, 3, 4, 1], "oldest first");
  }),

  storeCase("returns 100 sessions per page by default, and never more than 1,000", async (store) => {
    await insertAll(
      store,
      Array.from({ length: 1_001 }, (_, index) => numbered(index)),
    );
    assertEqual((await store.list({})).sessions.length, 100, "the default page");
    assertEqual((await store.list({ limit: 7 })).sessions.length, 7, "a page of 7");
    const most = await store.list({ limit: 5_000 });
    assertEqual(most.sessions.length, 1_000, "the largest page");
    assert(most.next !== undefined, "the largest page should say that there is more");
  }),

  storeCase("pages through every session once, while others with the same and other times are inserted", async (store) => {
    for (const order of ["newest", "oldest"] as const) {
      const base = order === "newest" ? 0 : 1_000;
      const project = `/srv/${order}`;
      const at = (number: number) => askedBy(base + number, { project }, { createdAt: startOfTime + Math.floor(number / 4) });
      await insertAll(
        store,
        Array.from({ length: 23 }, (_, index) => at(index + 100)),
      );
      const seen: string[] = [];
      let cursor: string | undefined;
      for (let page = 0; ; page += 1) {
        const found = await store.list({ project, order, limit: 5, cursor });
        seen.push(...found.sessions.map(({ id }) => id));
        cursor = found.next;
        if (cursor === undefined) break;
        assertEqual(found.sessions.length, 5, "a page that is not the last");
        // On the side that was already read: it must neither shift the pages nor show up twice.
        await insertAll(store, [at(order === "newest" ? 200 + page : 50 - page)]);
      }
      const expected = Array.from({ length: 23 }, (_, index) => sessionId(base + index + 100));
      assertEqual(seen, order === "newest" ? expected.reverse() : expected, `all pages, ${order} first`);
    }
  }),

  storeCase("returns no cursor if the last page is exactly full", async (store) => {
    await insertAll(
      store,
      Array.from({ length: 6 }, (_, index) => numbered(index)),
    );
    const first = await store.list({ limit: 3 });
    assert(first.next !== undefined, "the first of two pages should have a next one");
    const second = await store.list({ limit: 3, cursor: first.next });
    assertEqual(second.sessions.length, 3, "the second page");
    assertEqual(second.next, undefined, "the cursor after the last page");
  }),

  storeCase("rejects a cursor it did not return", async (store) => {
    await insertAll(store, [numbered(1)]);
    await assertRejects(store.list({ cursor: "not a cursor" }), "VALIDATION", "a made-up cursor");
  }),
];
