import type { Ran, RanLog } from "../ports/ran.ts";
import { assert, assertEqual, assertRejects, type ContractCase } from "./contract.ts";

/** What the suite for `RanLog` runs on. */
export interface RanHarness {
  /** A log without any entries, which keeps them for a day. `another` opens it again, as another hub does. `now` is its clock. */
  open(): Promise<{ ran: RanLog; another(): Promise<RanLog>; now(): number; pass(ms: number): Promise<void>; close(): Promise<void> }>;
}

const day = 86_400_000;

/** A command that ran at this time because of its client's rules. */
export function aRan(at: number, overrides: Partial<Ran> = {}): Ran {
  return { at, by: { kind: "rule", name: "default" }, client: "test-client", kind: "command", what: "npm test", reach: [], ...overrides };
}

const ranCase = (name: string, run: (opened: Awaited<ReturnType<RanHarness["open"]>>) => Promise<void>): ContractCase<RanHarness> => ({
  name,
  async run(harness) {
    const opened = await harness.open();
    try {
      await run(opened);
    } finally {
      await opened.close();
    }
  },
});

const whatOf = async (ran: RanLog, query = {}) => (await ran.list({ limit: 1_000, ...query })).items.map(({ what }) => what);

/** The contract of `RanLog`. */
export const ranContract: readonly ContractCase<RanHarness>[] = [
  ranCase("nothing has run at first", async ({ ran }) => {
    assertEqual(await ran.list(), { isOn: true, items: [] }, "the list");
  }),
  ranCase("what ran is listed newest first, with all fields, also by another hub", async ({ ran, another, now }) => {
    const full = aRan(now(), {
      by: { kind: "grant", name: "k3f9" },
      project: "/home/ada/engine",
      conversation: "c-1",
      agentId: "sub-1",
      tool: "Bash",
      what: "rm -rf build\ncurl 'https://example.com' — ✓",
      cwd: "/home/ada/engine/src",
      reach: ["deletes", "network"],
      failed: true,
    });
    await ran.add([aRan(now(), { what: "first" })]);
    await ran.add([full]);
    const { items } = await (await another()).list();
    assertEqual(
      items.map(({ id: _, ...item }) => item),
      [full, aRan(now(), { what: "first" })],
      "the list",
    );
    assertEqual(new Set(items.map(({ id }) => id)).size, 2, "their ids");
  }),
  ranCase("pages follow one another, and actions that run meanwhile move none", async ({ ran, now }) => {
    await ran.add(Array.from({ length: 120 }, (_, index) => aRan(now(), { what: `${index}` })));
    const pages: string[][] = [];
    for (let cursor: string | undefined, page = 0; page === 0 || cursor !== undefined; page += 1) {
      const { items, nextCursor } = await ran.list({ limit: 50, cursor });
      pages.push(items.map(({ what }) => what));
      cursor = nextCursor;
      await ran.add([aRan(now(), { what: "later" })]);
    }
    assertEqual(
      pages,
      [50, 50, 20].map((length, page) => Array.from({ length }, (_, at) => `${119 - 50 * page - at}`)),
      "the pages",
    );
  }),
  ranCase("every filter must match", async ({ ran, now }) => {
    await ran.add([
      aRan(now(), { what: "curl one", reach: ["network"], by: { kind: "model", name: "auto mode" } }),
      aRan(now(), { what: "rm two", reach: ["deletes", "writes"], project: "/home/ada/Engine" }),
      aRan(now(), { what: "/home/ada/three", kind: "edit", reach: ["writes"] }),
    ]);
    assertEqual(await whatOf(ran, { reach: "writes" }), ["/home/ada/three", "rm two"], "by reach");
    assertEqual(await whatOf(ran, { reach: "writes", kind: "command" }), ["rm two"], "by reach and kind");
    assertEqual(await whatOf(ran, { by: "model" }), ["curl one"], "by who let it");
    assertEqual(await whatOf(ran, { text: "TWO engine" }), ["rm two"], "by words");
    assertEqual(await whatOf(ran, { text: "two auto" }), [], "by words of two");
  }),
  ranCase("what is older than its time is not listed", async ({ ran, now, pass }) => {
    await ran.add([aRan(now(), { what: "old" })]);
    await pass(day - 1_000);
    await ran.add([aRan(now(), { what: "new" })]);
    assertEqual(await whatOf(ran), ["new", "old"], "before");
    await pass(1_000);
    assertEqual(await whatOf(ran), ["new"], "after");
  }),
  ranCase("at most 10,000 are kept, the newest", async ({ ran, now }) => {
    const lots = Array.from({ length: 21 }, (_, lot) => Array.from({ length: 500 }, (_, at) => aRan(now(), { what: `${500 * lot + at}` })));
    for (const lot of lots) await ran.add(lot);
    const listed: string[] = [];
    let page = await ran.list({ limit: 1_000 });
    for (; page.nextCursor !== undefined; page = await ran.list({ limit: 1_000, cursor: page.nextCursor }))
      listed.push(...page.items.map(({ what }) => what));
    listed.push(...page.items.map(({ what }) => what));
    assert(listed.length > 9_900 && listed.length <= 10_000, `9,901 to 10,000 are listed, not ${listed.length}`);
    assertEqual(
      listed,
      Array.from({ length: listed.length }, (_, at) => `${10_499 - at}`),
      "the list",
    );
  }),
  ranCase("additions of several hubs at once are all kept", async ({ ran, another, now }) => {
    const logs = [ran, await another(), await another()];
    const names = Array.from({ length: 180 }, (_, index) => `${index}`);
    await Promise.all(names.map((what, index) => logs[index % 3]?.add([aRan(now(), { what })])));
    assertEqual((await whatOf(ran)).sort(), names.sort(), "the list");
  }),
  ranCase("an invalid cursor is rejected", async ({ ran }) => {
    for (const cursor of ["", "x", "1", "-1.2", "1.2.3"]) await assertRejects(ran.list({ cursor }), "VALIDATION", cursor);
  }),
];
