import { expect, test } from "vitest";
import { inboxForEachTest, sizes } from "./support/inbox.ts";
import { keys, type TestTerminal } from "./support/terminal.ts";

const inbox = inboxForEachTest();

/** 6,000 characters in which all words differ. */
const preview = Array.from({ length: 1_000 }, (_, index) => `w${String(index).padStart(4, "0")}`).join(" ");

const rowsAbove = (text: string) => /↑\d+/.exec(text)?.[0];

/** Pages down until nothing moves, and collects all words on the way. */
async function readToTheEnd(terminal: TestTerminal): Promise<Set<string>> {
  const words = new Set<string>();
  for (;;) {
    const before = terminal.text();
    for (const word of before.match(/w\d{4}/g) ?? []) words.add(word);
    if (words.has("w0999") && !/↓\d+ more/.test(before)) return words;
    terminal.send(keys.pageDown);
    // In the last row of the screen, so the rows above are already from the new page.
    await terminal.until((text) => rowsAbove(text) !== rowsAbove(before), "the next page");
  }
}

test.each(sizes)("a preview of 6,000 characters can be read to its end in place ($columns × $rows)", async (size) => {
  expect(preview.length).toBeGreaterThanOrEqual(5_999);
  await inbox.hub.ask({
    questions: [
      { id: "q", type: "select", question: "Which?", required: true, allowOther: false, options: [{ label: "One", value: "1", preview }] },
    ],
  });
  const terminal = inbox.open(size);
  await terminal.sees("w0000");
  expect((await readToTheEnd(terminal)).size).toBe(1_000);
});

// promise: question-text-inert
test("markdown is rendered and code is coloured", async () => {
  const question =
    "# Plan\n\nUse **SQLite** or `redis`:\n\n- one\n- two\n\n```ts\nconst answer = 42;\n```\n\n<b>raw</b> [docs](https://example.org/x)";
  await inbox.hub.ask({ questions: [{ id: "q", type: "confirm", question, required: true }] });
  const terminal = inbox.open({ columns: 80, rows: 30 });
  await terminal.sees("• one");
  const screen = terminal.text();
  expect(screen).toContain("Use SQLite or redis:");
  expect(screen).toContain("│ const answer = 42;");
  expect(screen).toContain("<b>raw</b> docs (https://example.org/x)");
  const row = terminal.screen().findIndex((line) => line.includes("const answer"));
  const line = terminal.xterm.buffer.active.getLine(row);
  const colors = new Set(Array.from({ length: 20 }, (_, column) => line?.getCell(column)?.getFgColor()));
  expect(colors.size).toBeGreaterThan(2);
});
