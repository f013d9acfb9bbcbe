import { stripVTControlCharacters } from "node:util";
import type { AnswerSet, Question } from "@askbox/core";
import { expect, test } from "vitest";
import { aScreen, size } from "./support/screen.ts";

const name: Question = { id: "name", type: "text", question: "What is it called?", required: true };
const answerSet: AnswerSet = { answers: [{ questionId: "name", values: ["lathe"] }] };

/** The screen when somebody else has answered a question that is being answered here. */
async function answeredElsewhere(write: (screen: Awaited<ReturnType<typeof aScreen>>) => Promise<void>, once = false) {
  const screen = await aScreen({ request: { questions: [name] }, once });
  const { app, broker, id, settle, frame, clock } = screen;
  const draw = () => stripVTControlCharacters(frame.at(size).lines.join("\n"));
  draw();
  await write(screen);
  await broker.desk({ surface: "web" }).answer(id, answerSet);
  await settle();
  await clock.advance(10_000);
  // Loads what the broker needs for messages, so that later ones are sent without waiting for a file.
  await broker.desk({ surface: "api" }).conversations();
  const copied: string[] = [];
  app.options.host.copy = async (text) => {
    copied.push(text);
    return "tool";
  };
  return {
    ...screen,
    shown: draw(),
    press: (key: string) => app.handleKey({ name: key, ...(key.length === 1 ? { text: key } : {}) }),
    copied,
  };
}

test("what was typed is shown in full and can be copied when somebody else was faster", async () => {
  const { shown, press, copied } = await answeredElsewhere(async ({ app }) => app.handlePaste("mill\nor saw"));
  expect(shown).toContain("What you wrote here was not sent. w copies it:");
  expect(shown).toMatch(/│ mill\s*\n.*│ or saw/);
  press("w");
  expect(copied).toEqual(["mill\nor saw"]);
});

test.each([
  ["a reason to decline", "ctrl+x"],
  ["a message to the agent", "alt+i"],
])("%s is kept, too", async (_name, key) => {
  const { shown } = await answeredElsewhere(async ({ app, settle }) => {
    app.handleKey({ name: key });
    await settle();
    app.handlePaste("Too early");
  });
  expect(shown).toContain("Too early");
});

test.each([
  ["nothing was written", ""],
  ["the answer says the same", "lathe"],
])("nothing is shown if %s", async (_name, text) => {
  const { shown, press, copied } = await answeredElsewhere(async ({ app }) => app.handlePaste(text));
  expect(shown).not.toContain("not sent");
  press("w");
  expect(copied).toEqual([]);
});

test("a popup stays open while it shows what was not sent", async () => {
  const { shown, left, press } = await answeredElsewhere(async ({ app }) => app.handlePaste("mill"), true);
  expect(shown).toContain("not sent");
  expect(left()).toBeUndefined();
  press("enter");
  expect(left()).toBe(0);
});

test("what was not sent goes to the agent as a follow-up, which it gets with its next call", async () => {
  const { shown, press, settle, broker, id, app, frame } = await answeredElsewhere(async (screen) => screen.app.handlePaste("mill"));
  expect(shown).toContain("i send as a follow-up");
  press("i");
  expect(stripVTControlCharacters(frame.at(size).lines.join("\n"))).toContain("Write to this agent");
  app.handlePaste(", not saw");
  app.handleKey({ name: "enter" });
  await settle();
  expect((await broker.desk({ surface: "api" }).get(id)).thread).toMatchObject([{ text: "mill, not saw", by: { surface: "terminal" } }]);
  expect(app.ui.notice?.text).toBe("Sent. test-client gets it with its next call.");
  expect(stripVTControlCharacters(frame.at(size).lines.join("\n"))).not.toContain("was not sent");
});

test("a message to the agent that was being written is sent after all", async () => {
  const { press, app, settle, broker, id } = await answeredElsewhere(async (screen) => {
    screen.app.handleKey({ name: "alt+i" });
    await screen.settle();
    screen.app.handlePaste("Too early");
  });
  expect(app.ui.editing?.target.kind).toBe("message");
  press("enter");
  await settle();
  expect((await broker.desk({ surface: "api" }).get(id)).thread).toMatchObject([{ text: "Too early" }]);
});

test("after a timeout the form still takes a reply, and says what happens to it", async () => {
  const { app, clock, settle, broker, id, frame } = await aScreen({ request: { questions: [name], timeout: 60_000 } });
  const draw = () => stripVTControlCharacters(frame.at(size).lines.join("\n"));
  draw();
  await clock.advance(60_000);
  await settle();
  expect(draw()).toContain("This has timed out. You can still reply");
  app.handlePaste("too late");
  app.handleKey({ name: "enter" });
  await settle();
  expect(draw()).toContain("Reply kept for the agent.");
  const { reply } = await broker.desk({ surface: "api" }).get(id);
  expect(reply).toMatchObject({ answers: [{ values: ["too late"] }], by: { surface: "terminal" } });
});
