import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { fourFields } from "../requirements/requirement.ts";
import { flaws } from "./support/flaws.ts";
import { give } from "./support/given-files.ts";
import { readIt } from "./support/read-it.ts";
import { stdioAgent } from "./support/stdio-agent.ts";
import { until } from "./support/until.ts";

const { ask, opened } = stdioAgent();
const diff = [
  "--- a/src/retry.ts",
  "+++ b/src/retry.ts",
  "@@ -1,4 +1,4 @@",
  " export const retry = {",
  "-  times: 3,",
  "+  times: 5,",
  "   wait: 2_000,",
  " };",
  "--- a/README.md",
  "+++ b/README.md",
  "@@ -1 +1 @@",
  "-Three attempts.",
  "+Five attempts.",
].join("\n");

const plan = "# Plan\n\nDrop the table.\n\n```sql\nCREATE TABLE carts (customer INTEGER PRIMARY KEY, body TEXT NOT NULL, at INTEGER);\n```";

async function asked(question: object): Promise<{ id: string; answers: Promise<unknown[]> }> {
  const { id, call } = await ask({ questions: [{ id: "q", question: "Is this right?", ...question }] });
  return { id, answers: call.then((result) => fourFields(result).answers as unknown[]) };
}

const written = (page: Page) => page.getByTestId("line-comment").locator(".line-comment-text").allInnerTexts();

test("a review is answered with comments on lines, by keys alone, and no key sends it by accident", async () => {
  const { id, answers } = await asked({ type: "review", document: diff });
  const page = await opened(id);
  await page.locator(".diff[data-takes]").waitFor();
  await page.keyboard.press("v");
  await page.locator(".diff:focus").waitFor();
  expect(await flaws(page, "review")).toEqual([]);
  // The first line is marked at once.
  for (const key of ["j", "j", "Shift+J", "c"]) await page.keyboard.press(key);
  await page.keyboard.type("Why five?");
  await page.keyboard.press("Enter");
  for (const key of ["n", "n", "Enter"]) await page.keyboard.press(key);
  await page.keyboard.type("Say so.");
  await page.keyboard.press("Escape");
  await until(async () => String(await written(page)) === "Why five?,Say so.", "both comments");
  expect(await flaws(page, "review with comments")).toEqual([]);
  await page.keyboard.press("Escape");
  await page.locator(".diff:focus").waitFor({ state: "detached" });
  await page.keyboard.press("3");
  await page.keyboard.press("Control+Enter");
  const list =
    "- src/retry.ts:2-3\n  >   times: 5,\n  >   wait: 2_000,\n\n  Why five?\n- README.md:1 (old)\n  > Three attempts.\n\n  Say so.";
  expect(await answers).toMatchObject([
    {
      values: ["request_changes"],
      note: list,
      comments: [
        { path: "src/retry.ts", side: "new", line: 2, endLine: 3, text: "Why five?" },
        { path: "README.md", side: "old", line: 1, text: "Say so." },
      ],
    },
  ]);
});

test("a comment is in the draft while it is being written, also on another device, and can be deleted", async () => {
  const { id, answers } = await asked({ type: "review", document: diff });
  const page = await opened(id);
  await page.locator(".diff[data-takes]").waitFor();
  await page.keyboard.press("v");
  await page.locator(".diff:focus").waitFor();
  await page.keyboard.press("c");
  await page.keyboard.type("Why");
  const other = await opened(id);
  await until(async () => (await written(other)).join().includes("Why"), "the comment on another device");
  expect(await page.getByTestId("line-comment").count(), "it is shown only once where it is written").toBe(0);
  await page.keyboard.type(" five?");
  await until(async () => (await written(other)).join().includes("Why five?"), "the rest of it");
  await page.reload();
  await until(async () => (await written(page)).join().includes("Why five?"), "the comment after a reload");

  await page.getByRole("button", { name: "Edit" }).click();
  const field = page.getByLabel("Comment on these lines");
  await field.fill("");
  await field.fill("Why?");
  await until(async () => (await written(other)).join().includes("Why?"), "the other text");
  // A comment has only its text; a file pasted there goes with the answer.
  await page.getByRole("button", { name: "Attach a file" }).waitFor();
  await give(page, "paste", "line.png", ".question textarea:focus");
  await page.getByRole("button", { name: "Remove line.png" }).waitFor();
  await field.fill("");
  await page.keyboard.press("Escape");
  await until(
    async () => (await page.getByTestId("line-comment").count()) + (await other.getByTestId("line-comment").count()) === 0,
    "no comment",
  );
  await page.keyboard.press("1");
  await page.keyboard.press("Control+Enter");
  const [answer] = await answers;
  expect(answer).toMatchObject({ values: ["approve"], files: [{ name: "line.png" }] });
  expect(answer).not.toHaveProperty("comments");
});

test("a plan is sent back with a comment on the line that was pressed, on a phone", async () => {
  const { id, answers } = await asked({ type: "approval", action: { kind: "plan", text: plan } });
  const page = await opened(id, { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true, clock: true });
  await page.locator("[data-line]", { hasText: "Drop the table." }).tap();
  await page.getByLabel("Comment on these lines").fill("Keep it.");
  await page.keyboard.press("Escape");
  await until(async () => (await written(page)).join().includes("Keep it."), "the comment");
  expect(await flaws(page, "plan with a comment")).toEqual([]);
  await page.getByTestId("action").evaluate((document) => document.scrollIntoView({ block: "end" }));
  await readIt(page);
  await page.getByRole("button", { name: /Approve plan/ }).click();
  await page.getByText("Your comments go with a denial").waitFor();
  expect(await page.getByText("Please answer").count(), "a comment alone is no wrong answer").toBe(0);
  await page.getByRole("button", { name: /With a reason/ }).click();
  const dialog = page.getByRole("dialog", { name: /^Keep planning: “.*”$/ });
  await dialog.getByText("with your comments and your reason").waitFor();
  expect(await dialog.locator("textarea:focus").count(), "no keyboard covers the question").toBe(0);
  await dialog.getByRole("button", { name: "Keep planning" }).click();
  expect(await answers).toMatchObject([{ values: ["deny"], customText: "- Line 3\n  > Drop the table.\n\n  Keep it." }]);
});

/** A diff of a thousand small files. */
const manyFiles = Array.from(
  { length: 1_000 },
  (_, index) => `--- a/s/${index}\n+++ b/s/${index}\n@@ -1 +1 @@\n-old ${index}\n+new ${index}`,
).join("\n");

test("each line of a thousand files is found by the browser's search, also in one that is folded, and a key goes there", async () => {
  const { id, answers } = await asked({ type: "review", document: manyFiles });
  const page = await opened(id);
  await page.locator(".diff[data-takes]").waitFor();
  await page.keyboard.press("v");
  await page.locator(".diff:focus").waitFor();
  await page.keyboard.press("v");
  await page.getByText("1 of 1000 viewed").waitFor();
  // The first file is folded, and the last is filled long after the first screen.
  await page.locator("[data-line]", { hasText: "new 999" }).waitFor({ state: "attached" });
  expect(await page.locator("[data-file='0'] [data-line]").count()).toBe(2);
  expect(await page.evaluate(() => (globalThis as unknown as { find(text: string): boolean }).find("new 999"))).toBe(true);
  await page.locator(".document-entries").getByText("12", { exact: true }).click();
  await page.locator(".diff:focus").waitFor();
  await page.keyboard.press("j");
  await page.locator("[data-at]", { hasText: "new 12" }).waitFor();
  await page.keyboard.press("1");
  await page.keyboard.press("Enter");
  expect(await answers).toMatchObject([{ values: ["approve"] }]);
});
