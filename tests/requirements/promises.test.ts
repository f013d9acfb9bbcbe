import { parseAst } from "rolldown/parseAst";
import { describe, expect, test } from "vitest";
import { gaps } from "./promises/gaps.ts";
import { pages } from "./promises/pages.ts";
import { type PromisedPage, reasons } from "./promises/promise.ts";
import { registry } from "./promises/registry.ts";
import { statementsOf } from "./promises/statements.ts";
import { testTitles, titlesOfTests } from "./promises/titles.ts";

test("every sentence of the pages for users has a test that holds it, or a reason why it needs none", () => {
  expect(gaps(pages(), registry, testTitles())).toEqual([]);
});

describe("the check", () => {
  const kept = { id: "p.kept", says: "It is kept.", tests: ["a.test.ts > it is kept"] };
  const entry: PromisedPage = {
    page: "docs/p.md",
    promises: [kept],
    explained: [{ because: "advice", says: ["Look here."] }],
  };
  const found = (change: { statements?: string[]; entry?: Partial<PromisedPage>; titles?: string[] } = {}) =>
    gaps(
      [{ path: "docs/p.md", statements: change.statements ?? ["It is kept.", "Look here."] }],
      [{ ...entry, ...change.entry }],
      new Set(change.titles ?? ["a.test.ts > it is kept"]),
    );

  test("finds nothing where all is there", () => {
    expect(found()).toEqual([]);
  });

  test("names the sentence that nobody holds, and the file for its entry", () => {
    expect(found({ statements: ["It is kept.", "Look here.", "It is fast."] })).toEqual([
      'docs/p.md promises "It is fast." and no test is named for it; add it in tests/requirements/promises/list/p.ts (pnpm promises docs/p.md prints what to add).',
    ]);
    expect(gaps([{ path: "docs/new.md", statements: ["It is new."] }], [], new Set())).toEqual([
      expect.stringContaining("add it in tests/requirements/promises/list/new.ts"),
    ]);
  });

  test.each([
    [
      "a sentence that was changed",
      { statements: ["It is kept for a day.", "Look here."] },
      ["promises", 'does not say "It is kept." any more'],
    ],
    ["a promise without a test", { entry: { promises: [{ ...kept, tests: [] }] } }, ["p.kept names no test"]],
    ["a test that was deleted", { titles: ["a.test.ts > another"] }, ["which there is not; a.test.ts has no test of that title."]],
    ["a test that moved", { titles: ["b.test.ts > it is kept"] }, ['"b.test.ts > it is kept" has its name.']],
    ["two promises of one id", { entry: { promises: [kept, kept] } }, ["twice", "ids are given once"]],
    [
      "a promise that is passed off as advice",
      { entry: { promises: [], explained: [{ because: "advice" as const, says: ["It is kept.", "Look here."] }] } },
      ["to judge by its words"],
    ],
  ])("rejects %s", (_, change, sentences) => {
    expect(found(change)).toEqual(sentences.map((sentence) => expect.stringContaining(sentence)));
  });

  test("lets a strong word stand with a reason in words", () => {
    const why = "The page of another program promises this.";
    expect(found({ entry: { promises: [], explained: [{ because: "elsewhere", why, says: ["It is kept.", "Look here."] }] } })).toEqual([]);
  });

  test("rejects an entry of a page that is gone", () => {
    expect(gaps([], [entry], new Set(kept.tests))).toEqual([expect.stringContaining("docs/p.md, which is no page any more")]);
  });

  test("takes several entries of one page together", () => {
    const parts: PromisedPage[] = [
      { page: "docs/p.md", promises: [kept], explained: [] },
      { page: "docs/p.md", promises: [], explained: [{ because: "advice", says: ["Look here."] }] },
    ];
    expect(gaps([{ path: "docs/p.md", statements: ["It is kept.", "Look here."] }], parts, new Set(kept.tests))).toEqual([]);
  });
});

describe("what a page says", () => {
  test("is its sentences, items and rows, and neither headings, samples nor generated parts", () => {
    const page = [
      '# Title\n\nOne is 3.5 long\nand wide. "Two" is `x.y`. **Three.** It is bold! askbox is four.',
      "- An item. And more.\n  - Within.",
      "| a | b |\n|---|---|\n| `c` |  d. E |",
      "```sh\nnothing here.\n```",
      "<!-- part: generated -->\nNot here.\n<!-- part: end -->",
    ].join("\n\n");
    expect(statementsOf(page)).toEqual([
      "One is 3.5 long and wide.",
      '"Two" is `x.y`.',
      "**Three.** It is bold!",
      "askbox is four.",
      "An item.",
      "And more.",
      "Within.",
      "`c` | d. E",
    ]);
  });

  test("leaves out what rests below a promise as its proof", () => {
    expect(statementsOf('It holds.\n\nRests on: this (`a.ts`). And that.\n\nHeld by:\n- `a.test.ts`: "it holds"\n')).toEqual(["It holds."]);
  });
});

test("titles are those of tests, in their groups, whatever their tables and conditions; skipped ones are none", () => {
  const code = `
    describe.each(kinds)("on %s", (kind) => {
      test("a", () => { page.test("not one"); });
      it.each(rows)("b %s", () => {});
      test.skip("c", () => {});
      for (const p of suite) test(p.name, () => {});
    });
    describe.runIf(has("bash"))("in bash", () => { test.concurrent(\`d \${x}\`, () => {}); });
    test.todo("e");
  `;
  expect(titlesOfTests(parseAst(code) as never, code)).toEqual(["on %s > a", "on %s > b %s", "on %s > $p.name", "in bash > d $x"]);
});

test("every reason is used, so that none lies about as a way out", () => {
  const used = new Set(registry.flatMap(({ explained }) => explained.map(({ because }) => because)));
  expect(Object.keys(reasons).filter((reason) => !used.has(reason as never))).toEqual([]);
});
