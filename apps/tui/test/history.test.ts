import { stripVTControlCharacters } from "node:util";
import type { Question } from "@askbox/core";
import { expect, test, vi } from "vitest";
import { aScreen, size } from "./support/screen.ts";

const run = {
  id: "run",
  type: "approval",
  question: "May I?",
  required: true,
  action: { kind: "command", command: "npm test" },
} as Question;

async function opened() {
  const screen = await aScreen();
  const { app, broker, settle, ask, frame, id, clock } = screen;
  const desk = broker.desk({ surface: "web" });
  const { session: denied } = await ask("push", { questions: [run] });
  const { session: allowed } = await ask("pull", { questions: [run] });
  await desk.answer(denied.id, { answers: [{ questionId: "run", values: ["deny"] }] });
  await desk.answer(allowed.id, { answers: [{ questionId: "run", values: ["allow"] }] });
  await desk.cancel(id);
  const press = async (...keys: string[]) => {
    for (const name of keys) app.handleKey({ name, ...([...name].length === 1 ? { text: name } : {}) });
    await clock.advance(10_000);
    await settle();
  };
  await press("escape", "h");
  const draw = () => frame.at(size).lines.join("\n");
  return { ...screen, press, draw, text: () => stripVTControlCharacters(draw()) };
}

test("a denial says so in the history, and can be looked for by itself", async () => {
  const { press, text } = await opened();
  for (const words of ["3 settled", "  Declined · engine", "  Allowed once · engine", "  Denied · engine"]) {
    expect(text()).toContain(words);
  }
  await press("f", "3");
  expect(text()).toContain("1 settled  Denied");
  expect(text()).not.toContain("Allowed");
  await press("f", "2");
  expect(text()).toContain("Allowed");
  expect(text()).not.toContain("Denied in");
  await press("escape");
  expect(text()).toContain("3 settled");
});

test("what was searched for is marked in the list", async () => {
  const { press, draw } = await opened();
  await press("/", ..."FIRST", "enter");
  expect(draw()).toContain("\u001b[1;7mfirst\u001b[0m");
});

test("a search begins 120 ms after the last key", async () => {
  const { app, desk, clock } = await opened();
  app.handleKey({ name: "/", text: "/" });
  const list = vi.spyOn(desk, "list");
  app.handleKey({ name: "f", text: "f" });
  await clock.advance(119);
  app.handleKey({ name: "i", text: "i" });
  await clock.advance(119);
  expect(list).not.toHaveBeenCalled();
  await clock.advance(1);
  expect(list.mock.calls).toMatchObject([[{ text: "fi" }]]);
});
