import { describe, expect, test } from "vitest";
import { againstFloor, atMost, type BenchRow } from "../../bench/harness.ts";
import { readArguments, UsageError } from "../../bench/runner/arguments.ts";
import { compare, sentences, updated } from "../../bench/runner/compare.ts";
import { written } from "../../bench/runner/docs-table.ts";
import { middleOf } from "../../bench/runner/repeated.ts";
import { markdown, plainText, tableOf } from "../../bench/runner/table.ts";

const latency = (askbox: number): BenchRow =>
  againstFloor({ id: "latency", name: "a latency", floor: 1, askbox, unit: "ms" }, { atMost: 10 });
const rate = (askbox: number): BenchRow => againstFloor({ id: "rate", name: "a rate", floor: 100, askbox, unit: "1/s" }, { atLeast: 0.1 });
const count = atMost({ id: "count", name: "a count", askbox: 3, unit: "KB" }, 4);

describe("the comparison with the baseline", () => {
  const baseline = { latency: 4, rate: 0.4 };
  const verdicts = (...rows: BenchRow[]) => compare(rows, baseline).map(({ verdict }) => verdict);

  test("knows in which direction each ratio is better, and allows changes within its tolerance", () => {
    expect(verdicts(latency(4), latency(6), latency(6.1), latency(2.6))).toEqual(["same", "same", "worse", "better"]);
    expect(verdicts(rate(40), rate(27), rate(26), rate(61))).toEqual(["same", "same", "worse", "better"]);
    expect(verdicts({ ...latency(6.1), tolerance: 1 })).toEqual(["same"]);
  });

  test("shows how much has changed, better above zero", () => {
    expect(compare([latency(8), rate(80)], baseline)).toMatchObject([
      { before: 4, change: -0.5 },
      { before: 0.4, change: 1 },
    ]);
  });

  test("omits rows without a meaningful ratio, and lists new ones", () => {
    expect(verdicts(count, { ...latency(40), tolerance: null }, { ...latency(4), id: "other" })).toEqual([
      "not compared",
      "not compared",
      "new",
    ]);
  });

  test("lists in sentences what is broken, worse and better, and nothing else", () => {
    const rows = [latency(11), rate(100), { ...rate(40), id: "same" }];
    expect(sentences(rows, compare(rows, { ...baseline, same: 0.4 }))).toEqual([
      "Bound broken: a latency (at most 10 × floor).",
      "Worse than the baseline: a latency, ratio 4 then, 11 now.",
      "Better than the baseline: a rate, ratio 0.4 then, 1 now.",
    ]);
  });

  test("updates what was measured and keeps the rest", () => {
    expect(updated({ ...baseline, gone: 7 }, [latency(3.1284), count])).toEqual({ gone: 7, latency: 3.13, rate: 0.4 });
  });
});

describe("several runs", () => {
  test("use the median ratio, and show their spread", () => {
    expect(middleOf([[latency(5)], [latency(3)], [latency(4)]])).toMatchObject([{ askbox: 4, ratio: 4, spread: 0.5 }]);
    expect(middleOf([[latency(5), count]])).toEqual([latency(5), count]);
  });
});

describe("the table", () => {
  const rows = [latency(4.567), { ...count, ok: false }];

  test("has a line for each row, broken ones in capitals, and no empty column", () => {
    expect(plainText(tableOf(rows, compare(rows, { latency: 9 })))).toBe(
      [
        "           floor  askbox  unit  ratio  bound               verdict  baseline",
        "a latency  1      4.57    ms    4.57   at most 10 × floor  ok       +97.1 % BETTER",
        "a count           3       KB           at most 4 KB        BROKEN",
      ].join("\n"),
    );
  });

  test("is also written as markdown, with numbers aligned right", () => {
    expect(markdown(tableOf(rows, []))).toBe(
      [
        "|  | floor | askbox | unit | ratio | bound | verdict |",
        "| --- | ---: | ---: | --- | ---: | --- | --- |",
        "| a latency | 1 | 4.57 | ms | 4.57 | at most 10 × floor | ok |",
        "| a count |  | 3 | KB |  | at most 4 KB | BROKEN |",
      ].join("\n"),
    );
  });
});

describe("the page of figures", () => {
  const machine = {
    ...{ date: "2026-11-22T08:00:00.000Z", commit: "abc1234", node: "v24.1.0", platform: "linux-x64" },
    ...{ cpus: 2, cpu: "A CPU", memory: 8, load: 0.1 },
  };

  test("puts the table between its marks, and keeps the rest", () => {
    const page = "# Figures\n<!-- bench: generated -->\nold\n<!-- bench: end -->\nThe rest.\n";
    const once = written(page, { machine, runs: 3, rows: [latency(4)] });
    expect(once).toContain("22 November 2026, commit abc1234: 2 × A CPU, 8 GiB, linux-x64, Node 24.1.0; the middle of 3 runs by ratio");
    expect(once).toContain("| a latency | 1 | 4 | ms | 4 | at most 10 × floor | ok |");
    expect(once).toMatch(/^# Figures\n[\s\S]*<!-- bench: end -->\nThe rest.\n$/);
    expect(once).not.toContain("old");
    expect(written(once, { machine, runs: 3, rows: [latency(4)] })).toBe(once);
  });

  test("requires the marks", () => {
    expect(() => written("# Figures", { machine, runs: 1, rows: [] })).toThrow("has no <!-- bench: generated -->");
  });
});

describe("the arguments", () => {
  const known = ["pending", "stdio-start", "store-sqlite-cycles", "stored-sessions"];
  const read = (...args: string[]) => readArguments(args, known);

  test("select parts by a piece of their names; without names all, once", () => {
    expect(read().parts).toEqual(known);
    expect(read("stor", "sqlite").parts).toEqual(["store-sqlite-cycles", "stored-sessions"]);
  });

  test("are parsed with their defaults", () => {
    expect(read("pend", "--runs", "3", "--json", "out.json", "--update-baseline")).toEqual({
      parts: ["pending"],
      runs: 3,
      json: "out.json",
      updateBaseline: true,
      show: undefined,
    });
    expect(read("--list").show).toBe("list");
    expect(read("-h").show).toBe("help");
  });

  test.each([["nowhere"], ["--runs", "0"], ["--runs", "2.5"], ["--runs", "many"], ["--fast"], ["--json"]])(
    "are rejected: %s %s",
    (...args) => {
      expect(() => read(...args)).toThrow(UsageError);
    },
  );
});
