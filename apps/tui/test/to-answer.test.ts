import { stripVTControlCharacters } from "node:util";
import type { Question } from "@askbox/core";
import { expect, test } from "vitest";
import { aScreen, size } from "./support/screen.ts";

const option = (label: string) => ({ label, value: label });
const fruit = {
  id: "fruit",
  type: "select",
  question: "Which?",
  required: true,
  allowOther: false,
  options: [option("apple"), { ...option("pear"), recommended: true }, option("plum")],
} as Question;
const named: Question = { id: "name", type: "text", question: "What name?", required: false };

async function opened(...questions: Question[]) {
  const screen = await aScreen({ request: { questions }, undoDelay: 0 });
  const { app, settle, frame, desk, id } = screen;
  const text = (columns = size.columns) => stripVTControlCharacters(frame.at({ ...size, columns }).lines.join("\n"));
  const press = async (...keys: string[]) => {
    for (const name of keys) {
      text();
      app.handleKey({ name, ...([...name].length === 1 ? { text: name } : {}) });
      await settle();
    }
    return text();
  };
  const outcome = async () => (await desk.get(id)).outcome;
  return { ...screen, press, text, outcome };
}

test("the recommended option has the cursor once it is picked, so that Enter sends it", async () => {
  const { press, outcome } = await opened(fruit);
  await press("r", "enter");
  expect(await outcome()).toMatchObject({ answers: [{ values: ["pear"] }] });
});

test("after a note, and after a comment, Enter sends the answer", async () => {
  const { press, outcome } = await opened(fruit);
  expect(await press("3", "m", ..."ripe", "enter")).toMatch(/› \(•\) 3 plum[\s\S]*enter send/);
  await press("c", ..."soon", "enter", "enter");
  expect(await outcome()).toMatchObject({ comment: "soon", answers: [{ values: ["plum"], note: "ripe" }] });
});

test("after a note on a text, the text is typed on", async () => {
  const { press, outcome } = await opened(named);
  await press(..."lath", "alt+m", ..."short", "enter", "e", "enter");
  expect(await outcome()).toMatchObject({ answers: [{ values: ["lathe"], note: "short" }] });
});

test("a question that is not sent yet keeps its cursor", async () => {
  const { press, app } = await opened({ ...fruit, type: "multi-select", minChoices: 1, maxChoices: 1 } as Question);
  expect(await press("1", "3", "enter")).toMatch(/› \[x\] 3 plum\s[\s\S]*! Choose at most 1/);
  expect(app.ui.item).toBe(2);
});

test("a skipped text says the key that works while it is typed", async () => {
  const { press } = await opened(named, fruit);
  expect(await press("alt+s", "p")).toContain("Press alt+s to answer it after all.");
  expect(await press("escape")).toContain("Press s to answer it after all.");
});

test("what was said last leaves room for the keys that work now, unless it warns", async () => {
  const { press, text } = await opened(fruit, named);
  const footer = (columns?: number) => text(columns).split("\n").at(-1);
  await press("1", "escape");
  expect(footer()).toMatch(/^Your draft is kept\. {2}enter open .*\? keys/);
  expect(footer(44)).toMatch(/^Your draft is kept\. {2}enter open {2}\? keys *$/);
  expect(footer(40)?.trim()).toBe("Your draft is kept.");
  await press("enter", "2", "down", "enter");
  expect(footer()?.trim()).toBe("Something else is picked. space picks this.");
});

test.each([
  ["a choice", { ...fruit, required: false } as Question, ["s"]],
  ["a text", named, ["alt+s"]],
])("%s that is skipped is sent by Enter, and the footer says so", async (_, question, keys) => {
  const { press, outcome } = await opened(question);
  expect(await press(...keys)).toMatch(/enter send/);
  await press("enter");
  expect(await outcome()).toMatchObject({ kind: "answered" });
});
