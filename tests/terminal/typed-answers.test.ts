import type { Question } from "@askbox/core";
import { expect, test } from "vitest";
import { inboxForEachTest, sizes } from "./support/inbox.ts";
import { keys } from "./support/terminal.ts";

const inbox = inboxForEachTest();

const count: Question = {
  id: "n",
  type: "number",
  question: "How many workers?",
  required: true,
  min: 1,
  max: 64,
  integer: true,
  unit: "workers",
  suggestion: "8",
};
const day: Question = {
  id: "d",
  type: "date",
  question: "When is the freeze?",
  required: true,
  min: "2026-01-30",
  max: "2026-12-31",
  suggestion: "2026-03-31",
};
const mail: Question = { id: "m", type: "text", question: "Whom to tell?", required: true, format: "email" };
const shifted = { up: "\u001b[1;2A", down: "\u001b[1;2B" };
const suggestion = "\u001br";

test("a number is validated before Enter sends it, while typing, and sent normalised", async () => {
  const id = await inbox.hub.ask({ questions: [count] });
  const terminal = inbox.open();
  await terminal.sees("A whole number from 1 to 64, in workers");
  terminal.send("1,5", keys.enter);
  await terminal.sees("! This isn't a number, or can be read");
  terminal.send(...Array(3).fill(keys.backspace), "65");
  await terminal.sees("! The number must be at most 64.");
  terminal.send(keys.backspace);
  await terminal.until((text) => text.includes("▏ 6") && !text.includes("!"), "no error for 6");
  expect((await inbox.session(id)).status).toBe("pending");
  terminal.send(keys.enter);
  expect(await inbox.answers(id)).toEqual([{ values: ["6"] }]);
});

test("a suggestion is shown, accepted only with one key, and sent by Enter", async () => {
  const id = await inbox.hub.ask({ questions: [count] });
  const terminal = inbox.open();
  await terminal.sees("Suggested: 8 – alt+r uses it");
  await terminal.sees("alt+r suggestion");
  terminal.send(keys.enter);
  await terminal.sees("! An answer is required.");
  expect((await inbox.session(id)).status).toBe("pending");
  terminal.send(suggestion);
  await terminal.sees("▏ 8");
  terminal.send(keys.enter);
  expect(await inbox.answers(id)).toEqual([{ values: ["8"] }]);
});

test("a date can be changed by days and months, and typed", async () => {
  const id = await inbox.hub.ask({ questions: [day] });
  const terminal = inbox.open();
  await terminal.sees("A date, YYYY-MM-DD from 2026-01-30 to 2026-12-31");
  terminal.send("2026-02-30", keys.up);
  // Stepping does not discard text that is not a date.
  await terminal.sees("▏ 2026-02-30");
  terminal.send(keys.enter);
  await terminal.sees("! Enter a date as YYYY-MM-DD");
  terminal.send(suggestion);
  await terminal.sees("▏ 2026-03-31");
  terminal.send(keys.up);
  await terminal.sees("▏ 2026-04-01");
  terminal.send(keys.down, keys.down);
  await terminal.sees("▏ 2026-03-30");
  terminal.send(shifted.down);
  await terminal.sees("▏ 2026-02-28");
  terminal.send(shifted.up, keys.enter);
  expect(await inbox.answers(id)).toEqual([{ values: ["2026-03-28"] }]);
});

test("a text with a format is one line, is trimmed, and shows its error once the field is left", async () => {
  const id = await inbox.hub.ask({ questions: [mail, count] });
  const terminal = inbox.open();
  await terminal.sees("An email address");
  await terminal.until(() => terminal.output().includes("\u001b[?2004h"), "bracketed paste switched on");
  terminal.send("ada", keys.tab);
  await terminal.sees("How many workers?");
  terminal.send(keys.shiftTab);
  await terminal.sees("! This is not an email address");
  terminal.send(keys.paste("@example.com\n"));
  await terminal.until((text) => text.includes("ada@example.com") && !text.includes("!"), "no error");
  terminal.send(keys.enter);
  await terminal.sees("How many workers?");
  terminal.send("04", keys.enter);
  await terminal.sees("Review before sending");
  await terminal.sees("4 workers");
  terminal.send(keys.enter);
  expect(await inbox.answers(id)).toEqual([{ values: ["ada@example.com"] }, { values: ["4"] }]);
});

test("a rating is a scale with labelled ends, picked by digits, and not preselected", async () => {
  const id = await inbox.hub.ask({
    questions: [
      {
        id: "a",
        type: "rating",
        question: "How good is it?",
        required: true,
        max: 10,
        minLabel: "poor",
        maxLabel: "great",
        suggestion: "7",
      },
      { id: "b", type: "rating", question: "And how fast?", required: true, max: 3 },
    ],
  });
  const terminal = inbox.open();
  await terminal.sees("( ) 7  recommended");
  await terminal.until((text) => /1\s+poor/.test(text) && /10\s+great/.test(text), "what the ends mean");
  expect(terminal.text()).not.toContain("(•)");
  terminal.send("4");
  await terminal.sees("(•) 4");
  terminal.send("0", keys.ctrl("s"));
  await terminal.sees("Review before sending");
  terminal.send("2");
  await terminal.sees("And how fast?");
  terminal.send(keys.down, " ", keys.enter);
  await terminal.sees("Review before sending");
  terminal.send(keys.enter);
  expect(await inbox.answers(id)).toEqual([{ values: ["10"] }, { values: ["2"] }]);
});

test("a ranking is answered by shifted arrows, digits and Enter", async () => {
  const options = [
    { value: "Speed", label: "Speed" },
    { value: "price", label: "Price", description: "A month" },
    { value: "Size", label: "Size" },
  ];
  const id = await inbox.hub.ask({ questions: [{ id: "q", question: "What first?", type: "ranking", required: true, options }] });
  const terminal = inbox.open();
  await terminal.sees("All 3 options in order of preference, the best first");
  expect(terminal.text()).not.toMatch(/1\. /);
  terminal.send(shifted.down);
  await terminal.until((text) => /1\. Price.*2\. Speed.*3\. Size/s.test(text), "Speed moved down");
  terminal.send("3");
  await terminal.until((text) => /1\. Price.*2\. Size.*3\. Speed/s.test(text), "Speed moved to the third rank");
  terminal.send(keys.enter);
  expect(await inbox.answers(id)).toEqual([{ values: ["price", "Size", "Speed"] }]);
});

test("a question of an unknown type is shown and can only be declined", async () => {
  const id = await inbox.hub.ask({
    questions: [{ id: "r", type: "unknown", question: "How good is it?", required: true, original: { type: "hologram" } }],
  });
  const terminal = inbox.open();
  await terminal.sees("A type of question that this askbox does not know");
  terminal.send(keys.enter);
  await terminal.sees("! This version of askbox does not know this type of question; update");
  terminal.send("d");
  await terminal.sees("Decline “A new module”?");
  terminal.send(keys.enter);
  expect((await inbox.settled(id)).status).toBe("cancelled");
});

// promise: terminal-smallest
test.each(sizes)("the expected answer, the field and its error are visible at $columns×$rows", async (size) => {
  await inbox.hub.ask({ questions: [day] });
  const terminal = inbox.open(size);
  await terminal.sees("Suggested: 2026-03-31");
  terminal.send("2026-11-", keys.enter);
  await terminal.until((text) => text.includes("▏ 2026-11-") && /! Enter a date as[^?]*2026-03-05\./s.test(text), "field and error");
  expect(terminal.screen().every((row) => row.length <= size.columns)).toBe(true);
});
