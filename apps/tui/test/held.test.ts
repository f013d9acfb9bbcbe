import { AskboxError, type Question } from "@askbox/core";
import { expect, test } from "vitest";
import { aScreen, size } from "./support/screen.ts";

const sure: Question = { id: "sure", type: "confirm", question: "Sure?", required: true };
const run: Question = { ...sure, id: "run", type: "approval", action: { kind: "command", command: "ls" } } as Question;

async function opened(questions: Question[], undoDelay = 5_000) {
  const screen = await aScreen({ request: { questions }, undoDelay });
  const { app, frame, settle, broker, id, ask } = screen;
  const next = await ask("second matter", { questions: [sure] });
  await settle();
  const draw = () => frame.at(size).lines.join("\n");
  const press = async (...keys: string[]) => {
    for (const name of keys) {
      draw();
      app.handleKey({ name, ...([...name].length === 1 ? { text: name } : {}) });
      await settle();
    }
  };
  const outcome = async () => (await broker.desk({ surface: "api" }).get(id)).outcome;
  draw();
  return { ...screen, press, outcome, draw, second: next.session.id };
}

test("a sent answer leaves the list at once, opens nothing for 0.4 s, and is sent after the time to undo", async () => {
  const { press, outcome, app, clock, settle, draw, second, id } = await opened([sure]);
  await press("y", "enter");
  expect(app.ui.notice?.text).toBe("Sent “Yes” to first matter. u undoes it.");
  await press("enter", "enter");
  expect(app.ui).toMatchObject({ focus: "list", selected: second, held: [id] });
  expect(draw()).toContain("1 question waiting");
  await clock.advance(399);
  await press("enter");
  expect(app.ui).toMatchObject({ focus: "list", selected: second });
  await clock.advance(1);
  await press("enter");
  expect(app.ui).toMatchObject({ focus: "form", open: second });
  await clock.advance(4_599);
  await settle();
  expect(await outcome()).toBeUndefined();
  await clock.advance(1);
  await settle();
  expect(await outcome()).toMatchObject({ kind: "answered" });
  expect(app.ui).toMatchObject({ open: second, held: [] });
});

test("u undoes an answer from the list, and opens its question with what was picked", async () => {
  const { press, outcome, app, clock, settle, id } = await opened([sure]);
  await press("y", "enter", "u");
  expect(app.ui).toMatchObject({ focus: "form", open: id, held: [] });
  expect(app.form()?.getState().fields["sure"]?.values).toEqual(["yes"]);
  await clock.advance(10_000);
  await settle();
  expect(await outcome()).toBeUndefined();
});

test("declining a permission request says that it denies, and can be undone", async () => {
  const { press, outcome, app, clock, settle, draw } = await opened([run]);
  await clock.advance(1_000);
  await press("d");
  expect(draw()).toContain("Deny this action?");
  await press("enter");
  expect(app.ui.notice?.text).toBe("Denied: ls. u undoes it.");
  await press("u");
  await clock.advance(10_000);
  await settle();
  expect(await outcome()).toBeUndefined();
});

test("a decline leaves the list at once, can be undone, and is sent after the time to undo", async () => {
  const { press, outcome, app, clock, settle, draw, id } = await opened([sure]);
  await press("d");
  app.handlePaste("not now");
  await press("enter");
  expect(app.ui.notice?.text).toBe("Declined: first matter. u undoes it.");
  expect(draw()).toContain("1 question waiting");
  await press("u");
  expect(app.ui).toMatchObject({ focus: "form", open: id, held: [] });
  await clock.advance(10_000);
  expect(await outcome()).toBeUndefined();
  await press("d", "enter");
  await clock.advance(5_000);
  await settle();
  expect(await outcome()).toMatchObject({ kind: "cancelled", by: { surface: "terminal" } });
  expect(app.ui).toMatchObject({ held: [], notice: undefined });
});

test("a decline that can still be undone when the program ends is sent in time all the same, or undone elsewhere", async () => {
  const { press, outcome, app, broker, clock, id } = await opened([sure]);
  await press("d", "enter");
  app.close();
  expect(await outcome()).toBeUndefined();
  await broker.desk({ surface: "web" }).recall(id);
  await clock.advance(5_000);
  expect(await outcome()).toBeUndefined();
  await broker.desk({ surface: "web" }).cancel(id, { delay: 5_000 });
  await clock.advance(5_000);
  expect(await outcome()).toMatchObject({ kind: "cancelled" });
});

test("a question whose decline is held is answered by nobody else, unless that is undone there", async () => {
  const { press, outcome, app, broker, clock, settle, id } = await opened([sure]);
  await press("d", "enter");
  const other = broker.desk({ surface: "web" });
  const answer = () => other.answer(id, { answers: [{ questionId: "sure", values: ["yes"] }] });
  await expect(answer()).rejects.toMatchObject({ code: "CONFLICT", message: expect.stringContaining("Already declined in terminal") });
  await other.recall(id);
  await answer();
  await clock.advance(5_000);
  await settle();
  expect(await outcome()).toMatchObject({ kind: "answered" });
  expect(app.ui).toMatchObject({ held: [], notice: undefined });
});

test("an open question says how long its decline can be undone", async () => {
  const { press, app, draw, settle, id } = await opened([sure]);
  await press("d", "enter");
  app.step((turn) => turn.set({ open: id, focus: "form" }));
  await settle();
  expect(draw()).toContain("The decline is sent in 5 s. Press u to undo.");
});

test("a decline that the hub doesn't take is said, and its question comes back", async () => {
  const { press, app, clock, settle, draw, desk } = await opened([sure]);
  desk.cancel = () => Promise.reject(new AskboxError("HUB_UNREACHABLE", "The hub cannot be reached."));
  await press("d", "enter");
  await clock.advance(5_000);
  await settle();
  expect(app.ui.notice?.text).toBe("Not declined: The hub cannot be reached.");
  expect(draw()).toContain("2 questions waiting");
});

test.each([
  ["a decline", [sure]],
  ["a denial", [run]],
])("the reason of %s is kept when its dialog is closed, and when it is undone", async (_, questions) => {
  const { press, outcome, app, clock, settle } = await opened(questions);
  await clock.advance(1_000);
  await press("d");
  app.handlePaste("Not on Friday");
  await press("escape", "d");
  expect(app.ui.editing?.buffer.text).toBe("Not on Friday");
  await press("enter", "u", "d");
  expect(app.ui.editing?.buffer.text).toBe("Not on Friday");
  await press("enter");
  await clock.advance(10_000);
  await settle();
  expect(JSON.stringify(await outcome())).toContain("Not on Friday");
});
