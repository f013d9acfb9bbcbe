import type { SessionRecord } from "@askbox/core";
import type { StoreQuery } from "@askbox/core/stores";
import { anAsker, anOutcome, aRecord, settled } from "@askbox/core/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isUndelivered } from "../../src/session/record.ts";
import { searchText, searchWords } from "../../src/session/search-text.ts";
import { entryOf, MemoryIndex, recordOf } from "../../src/stores/memory-index.ts";

const letter = fc.constantFrom("a", "b");
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

const record = fc
  .record({
    number: fc.nat(30),
    createdAt: fc.nat(3),
    owner: letter,
    scope: letter,
    digest: letter,
    key: maybe(letter),
    project: maybe(letter),
    agentId: maybe(letter),
    client: letter,
    closedAt: maybe(fc.nat(3)),
    isDelivered: fc.boolean(),
    title: letter,
  })
  .map(({ number, createdAt, owner, scope, digest, key, project, agentId, client, closedAt, isDelivered, title }): SessionRecord => {
    const asker = { client: { name: client }, ...(project && { project }), ...(agentId && { agentId }) };
    const request = { questions: [], title: `title ${title}`, timeout: 1 };
    const open = aRecord({ id: `${number % 3}-${number}`, createdAt, owner, scope, digest, asker, request, ...(key && { key }) });
    if (closedAt === undefined) return open;
    return { ...settled(open, anOutcome({ at: closedAt })), delivery: { deliveredAt: isDelivered ? 1 : null } };
  });

const query: fc.Arbitrary<StoreQuery> = fc
  .record({
    owner: maybe(letter),
    scope: maybe(letter),
    digest: maybe(letter),
    key: maybe(letter),
    project: maybe(letter),
    agentId: maybe(letter),
    clientName: maybe(letter),
    undelivered: maybe(fc.boolean()),
    closedSince: maybe(fc.nat(3)),
    states: maybe(fc.subarray(["pending", "answered", "cancelled"] as const)),
    idPrefix: maybe(fc.constantFrom("0", "1-", "2-2")),
    text: maybe(fc.constantFrom("TITLE A", "title b", "nowhere")),
    order: maybe(fc.constantFrom("oldest" as const, "newest" as const)),
    limit: maybe(fc.integer({ min: 1, max: 4 })),
  })
  // Mostly few conditions, so that there are many matches.
  .chain((full) => fc.subarray(Object.entries(full), { maxLength: 5 }))
  .map((some) => Object.fromEntries(some) as StoreQuery);

/** The result of a query, by scanning every session. */
function found(records: readonly SessionRecord[], wanted: StoreQuery): string[] {
  const { states, owner, scope, digest, key, project, agentId, clientName, undelivered, closedSince, idPrefix, text, order } = wanted;
  const is = (condition: unknown, value: unknown) => condition === undefined || condition === value;
  const ids = records
    .filter((each) => states === undefined || states.some((state) => state === each.state))
    .filter((each) => is(owner, each.owner) && is(scope, each.scope) && is(digest, each.digest) && is(key, each.key))
    .filter(({ asker }) => is(project, asker.project) && is(agentId, asker.agentId) && is(clientName, asker.client.name))
    .filter((each) => is(undelivered, isUndelivered(each)))
    .filter((each) => closedSince === undefined || (each.closedAt !== null && each.closedAt >= closedSince))
    .filter((each) => idPrefix === undefined || each.id.startsWith(idPrefix))
    .filter((each) => searchWords(text ?? "").every((word) => searchText(each).includes(word)))
    .sort((left, right) => left.createdAt - right.createdAt || (left.id < right.id ? -1 : 1))
    .map(({ id }) => id);
  return order === "oldest" ? ids : ids.reverse();
}

function pages(index: MemoryIndex, wanted: StoreQuery): string[] {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = index.list(cursor === undefined ? wanted : { ...wanted, cursor });
    expect(page.entries.length).toBeLessThanOrEqual(wanted.limit ?? 100);
    ids.push(...page.entries.map(({ id }) => id));
    cursor = page.next;
  } while (cursor !== undefined);
  return ids;
}

describe("the memory store's index", () => {
  test("finds and counts, page by page, what a scan of every session would find, after any changes", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ record, isRemoved: fc.boolean() }), { maxLength: 40 }),
        fc.array(query, { minLength: 5, maxLength: 20 }),
        (changes, queries) => {
          const index = new MemoryIndex();
          const present = new Map<string, SessionRecord>();
          for (const { record: next, isRemoved } of changes) {
            const before = present.get(next.id);
            if (before === undefined) index.add(entryOf(next));
            else if (isRemoved) index.remove(entryOf(before));
            else index.replace(entryOf(before), entryOf(next));
            if (before !== undefined && isRemoved) present.delete(next.id);
            else present.set(next.id, next);
          }
          const records = [...present.values()];
          for (const wanted of queries) {
            const expected = found(records, wanted);
            expect(pages(index, wanted), JSON.stringify(wanted)).toEqual(expected);
            expect(index.count(wanted)).toBe(expected.length);
          }
        },
      ),
    );
  });

  test("has no next page if the last one is exactly full", () => {
    const index = new MemoryIndex();
    for (const id of ["a", "b"]) index.add(entryOf(aRecord({ id })));
    expect(index.list({ limit: 2 })).not.toHaveProperty("next");
    expect(index.list({ limit: 1, order: "oldest" })).toMatchObject({ entries: [{ id: "a" }], next: `${aRecord().createdAt}_a` });
  });

  test("rejects a cursor that no list returned, even if there is nothing to find", () => {
    expect(() => new MemoryIndex().list({ cursor: "x" })).toThrow("The cursor is invalid");
  });

  test("keeps a record as it was, except for the search fields", () => {
    const full = { ...settled(aRecord({ key: "k", asker: anAsker() })), seenAt: 1 };
    expect(recordOf(entryOf(full))).toEqual(full);
  });
});
