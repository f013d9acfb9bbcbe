import type { Question } from "@askbox/core";
import { expect, test } from "vitest";
import { inboxForEachTest } from "./support/inbox.ts";
import { keys } from "./support/terminal.ts";

const inbox = inboxForEachTest();

const document = [
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
const review: Question = { id: "q", type: "review", question: "Is this right?", required: true, document };
test.each([
  { columns: 80, rows: 24 },
  { columns: 40, rows: 12 },
])("lines of a review are commented by keys, changed and deleted, at $columns × $rows", async (size) => {
  const id = await inbox.hub.ask({ questions: [review] });
  const terminal = inbox.open(size);
  await terminal.sees("Is this right?");
  terminal.send("v");
  await terminal.sees(/› 1 (1 )? export const retry/);
  // The changed line and the one after it.
  terminal.send("j", "j", "J", "c");
  await terminal.sees("Comment on src/retry.ts:2-3");
  // Keys that arrive in the same read as Enter would be a paste of several lines.
  terminal.send("Why five?", keys.enter);
  await terminal.sees("esc close");
  expect(terminal.text()).toContain("│ Why five?");
  terminal.send("n", "c");
  await terminal.sees("Comment on README.md:1 (old)");
  terminal.send("Say so.", keys.escape);
  await terminal.sees("esc close");
  // A comment that ends on the line is continued, and without text it is deleted.
  terminal.send("j", "c");
  await terminal.sees("Comment on README.md:1:");
  terminal.send("x", keys.enter);
  await terminal.sees("esc close");
  expect(terminal.text()).toContain("│ x");
  terminal.send("c", keys.backspace, keys.enter);
  await terminal.until((screen) => !screen.includes("│ x"), "the comment to be gone");
  terminal.send("p", "c");
  await terminal.sees("Comment on README.md:1 (old)");
  terminal.send(" Please", keys.enter, keys.escape);
  // The verdicts are below the document, with their digits.
  await terminal.sees("v comment");
  expect(terminal.text()).toMatch(/1 Approve .*2 Approve w.*3 Request/);
  terminal.send("3");
  await terminal.sees(/\(•\) 3 Request/);
  terminal.send(keys.enter);
  expect(await inbox.answers(id)).toMatchObject([
    {
      values: ["request_changes"],
      comments: [
        { path: "src/retry.ts", side: "new", line: 2, endLine: 3, quote: "  times: 5,\n  wait: 2_000,", text: "Why five?" },
        { path: "README.md", side: "old", line: 1, text: "Say so. Please" },
      ],
    },
  ]);
});
