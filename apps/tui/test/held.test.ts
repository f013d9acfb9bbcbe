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

test("a sent answer opens the next question, which takes no key for 0.4 s, and is sent after the time to undo", async () => {
  const { press, outcome, app, clock, settle, draw, second, id } = await opened([sure]);
  await press("y", "enter");
  expect(app.ui.notice?.text).toBe("Sent “Yes” · first matter. u undoes it.");
  expect(app.ui).toMatchObject({ focus: "form", open: second, selected: second, held: [id] });
  expect(draw()).toContain("1 question waiting");
  const picked = () => app.form()?.getState().fields["sure"]?.values;
  await press("enter", "y", "d");
  expect(app.ui.notice?.text).toBe("Sent “Yes” · first matter. u undoes it.");
  await clock.advance(399);
  await press("n");
  expect(picked()).toEqual([]);
  expect(app.ui.overlay).toBeUndefined();
  await clock.advance(1);
  await press("n");
  expect(picked()).toEqual(["no"]);
  await clock.advance(4_599);
  await settle();
  expect(await outcome()).toBeUndefined();
  await clock.advance(1);
  await settle();
  expect(await outcome()).toMatchObject({ kind: "answered" });
  expect(app.ui).toMatchObject({ open: second, held: [] });
});

test("a question that has opened by itself takes keys at once after its answer was refused", async () => {
  const { press, app, clock, desk, second } = await opened([sure]);
  await press("y", "enter");
  await clock.advance(400);
  desk.answer = () => Promise.reject(new AskboxError("HUB_UNREACHABLE", "The hub cannot be reached."));
  await press("y", "enter");
  expect(app.ui).toMatchObject({ open: second, notice: { text: "The hub cannot be reached." } });
  await press("n");
  expect(app.form()?.getState().fields["sure"]?.values).toEqual(["no"]);
});

test("Esc goes to the list from a question that has just opened, and u back to the one before", async () => {
  const { press, app, second, id } = await opened([sure]);
  await press("y", "enter", "escape");
  expect(app.ui).toMatchObject({ focus: "list", selected: second });
  await press("u");
  expect(app.ui).toMatchObject({ focus: "form", open: id, held: [] });
});

test("what types text into the next question at once is not lost, but Enter sends none of it", async () => {
  const { press, app, ask, settle, desk, second, clock } = await opened([sure]);
  await desk.cancel(second);
  const { session } = await ask("third matter", { questions: [{ id: "name", type: "text", question: "Which name?", required: true }] });
  await settle();
  await press("y", "enter", "l", "o", "enter");
  expect(app.ui).toMatchObject({ open: session.id, editing: { buffer: { text: "lo" } } });
  await clock.advance(400);
  await press("enter");
  expect(app.ui.held).toContain(session.id);
});

test("what is snoozed opens by hand only: without another question, the list is shown", async () => {
  const { press, app, settle, desk, clock, second } = await opened([sure]);
  await desk.snooze(second, { until: clock.now() + 60_000 });
  await settle();
  await press("y", "enter");
  expect(app.ui).toMatchObject({ focus: "list", selected: second });
});

test("a question is declined from the list, which stays there and names it", async () => {
  const { press, outcome, app, clock, settle, draw, second, id } = await opened([sure]);
  await press("escape", "d");
  expect(draw()).toContain("Decline “first matter”?");
  await press("escape");
  expect(app.ui).toMatchObject({ focus: "list", selected: id, overlay: undefined, editing: undefined });
  await press("d", ..."Later", "enter");
  expect(app.ui).toMatchObject({ focus: "list", selected: second, held: [id] });
  await clock.advance(5_000);
  await settle();
  expect(await outcome()).toMatchObject({ kind: "cancelled", reason: "Later" });
});

test("a title that ends a sentence gets no second end", async () => {
  const { press, app, ask, settle, desk, id, second } = await opened([sure]);
  for (const other of [id, second]) await desk.cancel(other);
  await ask("Deploy now?", { questions: [sure] });
  await settle();
  await press("escape", "enter", "y", "enter");
  expect(app.ui.notice?.text).toBe("Sent “Yes” · Deploy now? u undoes it.");
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
  expect(draw()).toContain("Deny “ls”?");
  await press("enter");
  expect(app.ui.notice?.text).toBe("Denied · ls. u undoes it.");
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
  expect(app.ui.notice?.text).toBe("Declined · first matter. u undoes it.");
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

test("what was sent is named as the agent gets it", async () => {
  const review: Question = { ...sure, id: "read", type: "review", document: "All of it." } as Question;
  const { press, app } = await opened([review]);
  await press("1", "m", ..."Fine", "enter", "enter");
  expect(app.ui.notice?.text).toBe("Sent “Approve with comments” · first matter. u undoes it.");
});
