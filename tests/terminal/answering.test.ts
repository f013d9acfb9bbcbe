import type { Question } from "@askbox/core";
import { describe, expect, test } from "vitest";
import { inboxForEachTest, sizes } from "./support/inbox.ts";
import { keys } from "./support/terminal.ts";

const inbox = inboxForEachTest();

const choice = (more: Partial<Extract<Question, { type: "select" }>> = {}): Question => ({
  id: "q_choice",
  type: "select",
  question: "Which fruit?",
  required: true,
  allowOther: true,
  options: ["Apple", "Pear", "Plum", "Quince", "Fig"].map((label) => ({ label, value: label.toLowerCase() })),
  ...more,
});
const words: Question = { id: "q_text", type: "text", question: "What is it called?", required: true };

describe.each(sizes)("at $columns × $rows", (size) => {
  // promise: terminal-smallest
  test("a set with a question of each type is answered with the keyboard only, and reviewed before it is sent", async () => {
    const id = await inbox.hub.ask();
    const terminal = inbox.open(size);
    await terminal.sees("What should the new module be called?");
    terminal.send("lathe 2", keys.enter);
    await terminal.sees("Which database");
    terminal.send("2", keys.enter);
    await terminal.sees("Which platforms");
    terminal.send(" ", keys.down, keys.down, " ", keys.enter);
    await terminal.sees("May it replace");
    terminal.send("y");
    await terminal.sees("(•) 1 Yes");
    expect((await inbox.session(id)).status).toBe("pending");
    terminal.send(keys.enter);
    await terminal.sees("[ Send ]");
    terminal.send(keys.enter);
    expect(await inbox.answers(id)).toEqual([
      { values: ["lathe 2"] },
      { values: ["postgres"] },
      { values: ["linux", "windows"] },
      { values: ["yes"] },
    ]);
    await terminal.sees("Sent.");
  });

  test("three Down keys at once move to the fourth option", async () => {
    const id = await inbox.hub.ask({ questions: [choice()] });
    const terminal = inbox.open(size);
    await terminal.sees("Which fruit?");
    terminal.send(`${keys.down}${keys.down}${keys.down}`);
    await terminal.sees("› ( ) 4 Quince");
    terminal.send(" ");
    await terminal.sees("(•) 4 Quince");
    terminal.send(keys.enter);
    expect(await inbox.answers(id)).toEqual([{ values: ["quince"] }]);
  });
});

test("Enter picks nothing and sends nothing, however often it is pressed", async () => {
  const id = await inbox.hub.ask({ questions: [choice()] });
  const terminal = inbox.open();
  await terminal.sees("Which fruit?");
  terminal.send(keys.enter, keys.enter, keys.enter);
  await terminal.sees("Nothing is picked yet. space picks this.");
  expect(terminal.text()).not.toContain("(•)");
  expect((await inbox.session(id)).status).toBe("pending");
});

// promise: answer-is-a-persons, nothing-preselected, question-text-inert
test("nothing is preselected, recommended or not", async () => {
  await inbox.hub.ask({
    questions: [
      choice({
        options: [
          { label: "Apple", value: "a", recommended: true },
          { label: "Pear", value: "p" },
        ],
      }),
    ],
  });
  const terminal = inbox.open();
  await terminal.sees("Apple  recommended");
  expect(terminal.text()).not.toContain("(•)");
  terminal.send("r");
  await terminal.sees("(•) 1 Apple");
});

test("digits in a text field are text, and pick nothing", async () => {
  const id = await inbox.hub.ask({ questions: [choice()] });
  const terminal = inbox.open();
  await terminal.sees("Which fruit?");
  terminal.send("6");
  await terminal.sees("Type your answer");
  terminal.send("1 or 2? no: q", keys.enter);
  await terminal.sees("▏ 1 or 2? no: q");
  terminal.send(keys.enter);
  expect(await inbox.answers(id)).toEqual([{ values: [], customText: "1 or 2? no: q" }]);
});

test("Other can be added to the selected options of a multi-select", async () => {
  const id = await inbox.hub.ask({ questions: [{ ...choice(), type: "multi-select" } as Question] });
  const terminal = inbox.open();
  await terminal.sees("[ ] 1 Apple");
  terminal.send("2", "o", "Medlar", keys.enter);
  await terminal.sees("▏ Medlar");
  terminal.send(keys.enter);
  expect(await inbox.answers(id)).toEqual([{ values: ["pear"], customText: "Medlar" }]);
});

test("a note is sent with its answer and a comment with the whole", async () => {
  const id = await inbox.hub.ask({ questions: [choice()] });
  const terminal = inbox.open();
  await terminal.sees("Which fruit?");
  terminal.send("1", "m", "ripe ones", keys.enter);
  await terminal.sees("▏ ripe ones");
  terminal.send("c", "thank you", keys.enter);
  await terminal.sees("▏ thank you");
  terminal.send(keys.ctrl("s"));
  expect((await inbox.settled(id)).outcome).toMatchObject({ comment: "thank you", answers: [{ values: ["apple"], note: "ripe ones" }] });
});

test("an optional question can be skipped with a key, a required one cannot", async () => {
  const id = await inbox.hub.ask({
    questions: [choice({ id: "q_1", question: "Must it?" }), choice({ id: "q_2", question: "May it?", required: false })],
  });
  const terminal = inbox.open();
  await terminal.sees("Must it? *");
  terminal.send("s");
  await terminal.sees("cannot be skipped");
  terminal.send("1", keys.tab);
  await terminal.sees("May it? (optional)");
  terminal.send("s");
  await terminal.sees("skipped");
  terminal.send(keys.enter);
  expect(await inbox.answers(id)).toEqual([{ values: ["apple"] }, { values: [] }]);
});

test("Tab and Shift-Tab move between questions, and a missing answer is reported before sending", async () => {
  const id = await inbox.hub.ask({ questions: [choice({ id: "q_1", question: "First?" }), words] });
  const terminal = inbox.open();
  await terminal.sees("First?");
  terminal.send(keys.tab);
  await terminal.sees("What is it called?");
  terminal.send(keys.tab);
  await terminal.sees("2 questions still need an answer");
  terminal.send(keys.enter);
  await terminal.sees("! An answer is required.");
  await terminal.sees("First?");
  expect((await inbox.session(id)).status).toBe("pending");
  terminal.send(keys.tab, "x", keys.shiftTab);
  await terminal.sees("First?");
});

test("questions are declined with a reason", async () => {
  const id = await inbox.hub.ask({ questions: [choice()] });
  const terminal = inbox.open();
  await terminal.sees("Which fruit?");
  terminal.send("d");
  await terminal.sees("Decline this question?");
  terminal.send(keys.escape);
  await terminal.until((text) => !text.includes("Decline this question?"), "the form without its dialog");
  expect((await inbox.session(id)).status).toBe("pending");
  terminal.send("d");
  await terminal.sees("Decline this question?");
  terminal.send("not now", keys.enter);
  expect((await inbox.settled(id)).outcome).toMatchObject({
    kind: "cancelled",
    reason: "not now",
    by: { surface: "terminal", name: "ada" },
  });
});

test("more time extends or removes the deadline", async () => {
  const id = await inbox.hub.ask({ questions: [choice()] });
  const terminal = inbox.open();
  await terminal.sees(/ (5:00|4:5\d)/);
  terminal.send("t");
  await terminal.sees("How much more time");
  terminal.send("2");
  await terminal.sees(/ (15:00|14:5\d)/);
  terminal.send("t", keys.down, keys.down, keys.enter);
  // The dialog itself offers "no limit".
  await terminal.sees("There is no deadline now.");
  expect((await inbox.session(id)).deadlineAt).toBeNull();
});

test("an answer being held by the hub can be undone", async () => {
  const id = await inbox.hub.ask({ questions: [choice()] });
  const terminal = inbox.open({ tui: { settings: { undoDelay: 30_000 } } });
  await terminal.sees("Which fruit?");
  terminal.send("1", keys.enter);
  await terminal.sees("u undoes it");
  terminal.send("u");
  await terminal.sees("Undone; nothing was sent");
  expect(await inbox.session(id)).toMatchObject({ status: "pending" });
  expect((await inbox.session(id)).scheduled).toBeUndefined();
});
