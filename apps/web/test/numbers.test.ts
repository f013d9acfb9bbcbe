import type { Desk, SessionView } from "@askbox/core";
import { describe, expect, it } from "vitest";
import { countTicks, labelled } from "../src/numbers/plot/scale.ts";
import { dayStarts, quantile, type SettledFact, summarize } from "../src/numbers/summary.ts";
import { readFacts } from "../src/numbers/use-facts.ts";

const now = new Date(2026, 2, 31, 15, 0).getTime();
const fact = (daysAgo: number, more: Partial<SettledFact> = {}): SettledFact => ({
  createdAt: dayStarts(daysAgo + 1, now)[0] ?? 0,
  kind: "answered",
  answeredAfter: 10_000,
  client: "codex",
  ...more,
});

describe("the statistics", () => {
  it("count days by the calendar, even when clocks change", () => {
    const starts = dayStarts(7, now);
    expect(starts.map((start) => new Date(start).getDate())).toEqual([25, 26, 27, 28, 29, 30, 31]);
    expect(starts.every((start) => new Date(start).getHours() === 0)).toBe(true);
  });

  it("ignore what was asked before the period", () => {
    const { total, days } = summarize([fact(0), fact(6), fact(7)], { days: 7, now });
    expect(total).toBe(2);
    expect(days.map(({ counts }) => counts.answered)).toEqual([1, 0, 0, 0, 0, 0, 1]);
  });

  it("calculate quantiles by nearest rank, and undefined for an empty list", () => {
    expect(quantile([], 0.5)).toBeUndefined();
    expect(quantile([7], 0.9)).toBe(7);
    expect(quantile([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0.9)).toBe(9);
    expect(quantile([1, 2, 3, 4], 0.5)).toBe(2);
  });

  it("put a time on an edge into the bin that starts there", () => {
    const { bins } = summarize([fact(0, { answeredAfter: 10_000 }), fact(0, { answeredAfter: 9_999 })], { days: 7, now });
    expect(bins.slice(0, 2).map(({ count }) => count)).toEqual([1, 1]);
  });

  it("list the busiest agent first, and count sessions without a project separately", () => {
    const summary = summarize([fact(0), fact(0, { client: "zed", project: "/p" }), fact(0, { client: "zed" })], { days: 7, now });
    expect(summary.clients.map(({ name, total }) => [name, total])).toEqual([
      ["zed", 2],
      ["codex", 1],
    ]);
    expect(summary.projects.map(({ name }) => name)).toEqual([undefined, "/p"]);
  });

  it("only read the period up to the limit, and report when they are incomplete", async () => {
    const desk = deskOf(Array.from({ length: 1_000 }, (_, index) => now - index * 60_000));
    expect(await readFacts(desk, { since: now - 99 * 60_000 })).toMatchObject({ isCut: false, facts: { length: 100 } });
    expect(desk.pages).toBe(1);
    expect(await readFacts(desk, { since: 0, most: 500 })).toMatchObject({ isCut: true, facts: { length: 500 } });
    expect(await readFacts(desk, { since: 0, most: 1_000 })).toMatchObject({ isCut: false, facts: { length: 1_000 } });
  });
});

describe("the scale of a plot", () => {
  it("has round steps up to the highest value", () => {
    expect(countTicks(1, 4)).toEqual([0, 1]);
    expect(countTicks(10, 4)).toEqual([0, 5, 10]);
    expect(countTicks(37, 4)).toEqual([0, 10, 20, 30, 40]);
  });

  it("labels only as many positions as fit, including the last", () => {
    expect(labelled(30, 4)).toEqual([5, 13, 21, 29]);
    expect(labelled(7, 10)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(labelled(7, 0)).toEqual([6]);
  });
});

/** A desk of answered sessions, newest first, that counts how many pages are requested. */
function deskOf(times: readonly number[]): Desk & { pages: number } {
  const list: Desk["list"] = async ({ limit = 100, cursor = "0" } = {}) => {
    desk.pages += 1;
    const end = Number(cursor) + limit;
    const items = times.slice(Number(cursor), end).map(answeredAt);
    return end < times.length ? { items, nextCursor: String(end) } : { items };
  };
  const desk = { pages: 0, list } as Desk & { pages: number };
  return desk;
}

function answeredAt(createdAt: number): SessionView {
  return {
    id: `s${createdAt}`,
    revision: 2,
    status: "answered",
    asker: { client: { name: "codex" } },
    questions: [],
    createdAt,
    deadlineAt: null,
    closedAt: createdAt + 1_000,
    outcome: { kind: "answered", answers: [], by: { surface: "web" }, at: createdAt + 1_000 },
    delivery: { deliveredAt: null },
    presence: { asker: "away", openIn: [] },
  };
}
