import { stripVTControlCharacters } from "node:util";
import type { Question } from "@askbox/core";
import { expect, test } from "vitest";
import { aScreen, size } from "./support/screen.ts";

const options = ["a", "b", "c", "d"].map((value) => ({ value, label: `option ${value}` }));
const which: Question = {
  id: "which",
  type: "multi-select",
  question: "Which ones?",
  options,
  allowOther: false,
  required: true,
  maxChoices: 3,
};

async function opened(request: Parameters<typeof aScreen>[0] = {}) {
  const screen = await aScreen(request);
  const { app, settle, frame } = screen;
  const text = () => stripVTControlCharacters(frame.at(size).lines.join("\n"));
  const press = async (...keys: string[]) => {
    for (const name of keys) {
      app.handleKey({ name, ...([...name].length === 1 ? { text: name } : {}) });
      await settle();
    }
    return text();
  };
  return { ...screen, text, press };
}

test("how to quit stands beside the keys for two seconds", async () => {
  const { press, clock, frame, text } = await opened();
  expect(await press("escape", "escape", "escape")).toMatch(/Press q to quit\. +enter open/);
  await clock.advance(2_000);
  frame.touch();
  expect(text()).not.toContain("Press q to quit.");
  expect(text()).toContain("enter open");
});

test("a question without a title stands on its form once", async () => {
  const { app, frame } = await opened({ request: { title: undefined, questions: [which] } });
  expect(app.ui.focus).toBe("form");
  const shown = stripVTControlCharacters(frame.at({ columns: 80, rows: 24, plain: false }).lines.join("\n"));
  expect(shown.split("Which ones?")).toHaveLength(2);
  expect(shown).toContain("test-client");
});

test("more picks than are taken are said at once", async () => {
  const { press } = await opened({ request: { questions: [which] } });
  expect(await press("1", "2", "3")).not.toContain("of at most 3");
  expect(await press("4")).toContain("4 of at most 3");
  expect(await press("4")).not.toContain("of at most 3");
});

test("the history shows what was answered", async () => {
  const { press, desk, id, clock, settle, text } = await opened({ request: { questions: [which] } });
  await desk.answer(id, { answers: [{ questionId: "which", values: ["a", "b"] }] });
  await press("escape", "h");
  await clock.advance(10_000);
  await settle();
  expect(text()).toMatch(/option a, option b · engine .* │/);
});
