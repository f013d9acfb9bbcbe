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

test("a note is sent with its answer and a comment with the whole", async () => {
  const id = await inbox.hub.ask({ questions: [choice()] });
  const terminal = inbox.open();
  await terminal.sees("Which fruit?");
  terminal.send("1", "m", "ripe ones", keys.enter);
  // Keys that arrive in the same read as Enter would be a paste of several lines.
  await terminal.until((text) => text.includes("▏ ripe ones") && !text.includes("enter done"), "the note, no longer edited");
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
  await terminal.sees("Must it?");
  terminal.send("s");
  await terminal.sees("cannot be skipped");
  terminal.send("1", keys.tab);
  await terminal.sees("May it? (optional)");
  terminal.send("s");
  await terminal.sees("skipped");
  terminal.send(keys.enter);
  expect(await inbox.answers(id)).toEqual([{ values: ["apple"] }, { values: [] }]);
});

test("questions are declined with a reason", async () => {
  const id = await inbox.hub.ask({ questions: [choice()] });
  const terminal = inbox.open();
  await terminal.sees("Which fruit?");
  terminal.send("d");
  await terminal.sees("Decline “A new module”?");
  terminal.send(keys.escape);
  await terminal.until((text) => !text.includes("Decline “A new module”?"), "the form without its dialog");
  expect((await inbox.session(id)).status).toBe("pending");
  terminal.send("d");
  await terminal.sees("Decline “A new module”?");
  terminal.send("not now", keys.enter);
  expect((await inbox.settled(id)).outcome).toMatchObject({
    kind: "cancelled",
    reason: "not now",
    by: { surface: "terminal", name: "ada" },
  });
});
