import { stripVTControlCharacters } from "node:util";
import type { Question } from "@askbox/core";
import { beforeAll, expect, test } from "vitest";
import { loadRichText } from "../src/markdown/rich-text.ts";
import { aScreen } from "./support/screen.ts";

beforeAll(loadRichText);

const diff = [
  "diff --git a/src/retry.ts b/src/retry.ts",
  "index 1a2b3c4..5d6e7f8 100644",
  "--- a/src/retry.ts",
  "+++ b/src/retry.ts",
  "@@ -8,4 +8,5 @@",
  " export const retry = {",
  "-  times: 3,",
  "+  times: 5,",
  "+  jitter: true,",
  "   wait: 2_000,",
  " };",
  "--- /dev/null",
  "+++ b/docs/retry.md",
  "@@ -0,0 +1,2 @@",
  "+# Retries",
  "+Five attempts.",
].join("\n");

const markdown = ["# Plan", "", "Drop the **old** table,", "then rename.", "", "- stop the hub", "- copy it", "", "Done."].join("\n");

async function opened(document: string, columns = 80, rows = 24) {
  const questions: Question[] = [{ id: "q", type: "review", question: "Is this right?", required: true, document }];
  const screen = await aScreen({ request: { questions } });
  const { app, settle, frame } = screen;
  const draw = () => frame.at({ columns, rows, plain: false }).lines.map((each) => stripVTControlCharacters(each).trimEnd());
  const press = async (...keys: string[]) => {
    for (const name of keys) {
      draw();
      app.handleKey({ name, ...([...name].length === 1 ? { text: name } : {}) });
      await settle();
    }
    return draw();
  };
  const comments = () => app.form()?.getState().fields["q"]?.comments;
  return { ...screen, draw, press, comments };
}

test("a diff begins with its files, and has a heading for each and both numbers of each line", async () => {
  const { draw } = await opened(diff);
  expect(draw().slice(3, 19)).toEqual([
    "Is this right?",
    "",
    "2 files  +4 −1",
    expect.stringMatching(/^ {2}src\/retry.ts +\+2 −1$/),
    expect.stringMatching(/^ {2}docs\/retry.md +\+2 −0$/),
    "",
    expect.stringMatching(/^▾ src\/retry.ts +\+2 −1$/),
    "      @@ -8,4 +8,5 @@",
    " 8  8  export const retry = {",
    " 9    -  times: 3,",
    "    9 +  times: 5,",
    "   10 +  jitter: true,",
    "10 11    wait: 2_000,",
    "11 12  };",
    "",
    expect.stringMatching(/^▾ docs\/retry.md {2}new +\+2 −0$/),
  ]);
});

test("on a narrow screen each line has one number, and the heading of its file stays while it is scrolled", async () => {
  const { press, draw } = await opened(diff, 40, 12);
  const shown = await press("pagedown");
  expect(shown.find((each) => each.includes("times: 3"))).toBe(" 9 -  times: 3,");
  await press("down", "down");
  expect(draw()[2]).toMatch(/^▾ src\/retry.ts +\+2 −1$/);
});

test("v marks a file as viewed, which folds it and goes to the next; v on it again unfolds it", async () => {
  const { press } = await opened(diff);
  const shown = await press("v", "v");
  expect(shown.join("\n")).toMatch(/2 files {2}\+4 −1 {2}1 of 2 viewed/);
  expect(shown.join("\n")).toMatch(/▸ src\/retry.ts +\+2 −1 {2}✓ viewed/);
  expect(shown.join("\n")).not.toContain("jitter");
  expect(shown.join("\n")).toContain("› ");
  expect(shown.find((each) => each.startsWith("›"))).toContain("# Retries");
  expect((await press("k")).find((each) => each.startsWith("›"))).toContain("▸ src/retry.ts");
  expect((await press("v")).find((each) => each.startsWith("›"))).toContain("export const retry");
});

test("the comments on a file that was viewed are counted in its heading", async () => {
  const { press } = await opened(diff);
  const shown = (await press("v", "c", ..."Why?", "enter", "v")).join("\n");
  expect(shown).toMatch(/▸ src\/retry.ts {2}1 comment +\+2 −1 {2}✓ viewed/);
  expect(shown).not.toContain("Why?");
});

test("the files stand beside an open document where there is room", async () => {
  const { press } = await opened(diff, 120, 40);
  const shown = await press("v", "n");
  expect(shown[1]).toMatch(/^2 files {2}\+4 −1 +│ {3}▾ src\/retry.ts/);
  expect(shown.find((each) => each.startsWith("› "))).toMatch(/^› {3}docs\/retry.md +\+2 −0 │/);
});

test("a verdict is picked where the document is read, and sent from there", async () => {
  const { press, desk, id } = await opened(diff);
  const shown = await press("v", "1");
  expect(shown.at(-2)).toBe("(•) 1 Approve  ( ) 2 Approve with comments  ( ) 3 Request changes");
  expect(shown.at(-1)).toContain("ctrl+s send");
  await press("ctrl+s");
  expect((await desk.get(id)).outcome).toMatchObject({ kind: "answered", answers: [{ values: ["approve"] }] });
});

test("markdown is rendered and commented by blocks, and Tab shows it as it is written", async () => {
  const { press, comments, draw } = await opened(markdown);
  expect(draw().slice(5, 13)).toEqual(["Plan", "", "Drop the old table,", "then rename.", "", "• stop the hub", "• copy it", ""]);
  expect((await press("v", "j", "j", "j")).find((each) => each.startsWith("›"))).toBe("› • copy it");
  await press("k", "J", "c", ..."Why?", "enter");
  expect(comments()).toEqual([{ line: 6, endLine: 7, text: "Why?" }]);
  expect(draw().join("\n")).toContain("› • copy it\n  │ Lines 6-7\n  │ Why?");
  const raw = await press("tab");
  expect(raw.join("\n")).toContain("  3 Drop the **old** table,");
  expect((await press("tab")).join("\n")).toContain("Drop the old table,");
});

test("a block that is higher than the screen is read before the cursor leaves it", async () => {
  const { press } = await opened(`# Plan\n\n${"many words ".repeat(60)}end.\n\nLast.`, 40, 12);
  expect((await press("v", "j")).join("\n")).not.toContain("end.");
  for (let rows = 0; rows < 12; rows += 1) await press("j");
  expect((await press()).join("\n")).toContain("end.");
  for (let rows = 0; rows < 12; rows += 1) await press("j");
  expect((await press()).find((each) => each.startsWith("›"))).toBe("› Last.");
});

test("? in a document lists its keys, and goes back to the line that was read", async () => {
  const { app, press } = await opened(diff);
  await press("v", "j", "j");
  const { overlay } = app.ui;
  const help = (await press("?")).join("\n");
  expect(help).toMatch(/Here\n[\s\S]*c +comment\n[\s\S]*n +next\n[\s\S]*shift\+↑↓ +more lines/);
  await press("down", "?");
  expect(app.ui.overlay).toEqual(overlay);
  await press("?", "escape", "escape");
  expect(app.ui.overlay).toBeUndefined();
});
