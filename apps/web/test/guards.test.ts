import { act, fireEvent } from "@testing-library/react";
import { createElement } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createStage } from "../gallery/stage.ts";
import { sessionPath } from "../src/router/router.tsx";
import { AnswerPane } from "../src/session/answer-pane.tsx";
import { openedNextOn } from "../src/session/next-session.ts";
import { lastPickOn } from "../src/session/send-on-pick.ts";
import { changeSettings } from "../src/stored-settings.ts";
import { cleansUp, fill, look, opened, pageAt, passes, path, press, shown, t } from "./page.ts";

// What keeps a key from something that it was not meant for, a millisecond before it ends and then.

cleansUp();
beforeEach(() => {
  // happy-dom has no layout: the action is in view, to its end.
  vi.spyOn(Element.prototype, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 0, 300, 100));
  document.elementFromPoint = () => document.querySelector("[data-action]");
});
afterEach(() => changeSettings({ undoSeconds: 5, sendOnPick: false }));

const sure = { id: "sure", question: "Delete it?", type: "confirm" as const };
const run = { id: "run", type: "approval" as const, question: "May I?", action: { kind: "command" as const, command: "ls" } };

async function paneOf(...questions: Parameters<typeof opened>[0]["questions"]) {
  const { stage, id, form } = await opened({ questions });
  const pane = shown(stage, createElement(AnswerPane, { session: await stage.view(id) }));
  // It is measured when it changes.
  fireEvent(globalThis.window, new Event("resize"));
  await passes(stage, look);
  const refusal = () => pane.querySelector(".actions-error")?.textContent;
  return { stage, id, form, pane, refusal, after: (ms: number) => passes(stage, ms) };
}

test("a question that opened by itself takes keys after 400 ms", async () => {
  changeSettings({ undoSeconds: 60, sendOnPick: true });
  const stage = await createStage();
  const next = await stage.ask({ title: "The next one", timeout: 300_000, questions: [sure] });
  const { id } = await stage.ask({ title: "The first one", timeout: 600_000, questions: [sure] });
  const page = pageAt(stage, sessionPath(id));
  await expect.poll(() => page.querySelector("[data-question=sure]")).not.toBeNull();
  await press("y");
  await expect.poll(path).toBe(sessionPath(next.id));
  await expect.poll(() => page.querySelector("#session-title")?.textContent).toContain("The next one");
  await passes(stage, 399);
  await press("n", "Enter");
  expect(next.form.getState()).toMatchObject({ phase: "editing", fields: { sure: { values: [] } } });
  await passes(stage, 1);
  await press("n");
  await expect.poll(async () => (await stage.view(next.id)).scheduled).toBeDefined();
});

test("the same key picks in the next question of a set after 400 ms, and another one at once", async () => {
  changeSettings({ sendOnPick: true });
  const fruit = (id: string) => ({ id, question: "Which?", type: "select" as const, options: ["Apple", "Pear"] });
  const { form, after } = await paneOf(fruit("a"), fruit("b"), fruit("c"));
  const picked = () => ["a", "b", "c"].map((id) => form.getState().fields[id]?.values[0]);
  await press("1");
  expect(form.getState().step).toBe(1);
  await after(399);
  await press("1");
  expect(picked()).toEqual(["Apple", undefined, undefined]);
  await after(1);
  await press("1");
  expect(picked()).toEqual(["Apple", "Apple", undefined]);
  await press("2");
  expect(picked()).toEqual(["Apple", "Apple", "Pear"]);
});

test("on a slow machine, both begin when the next question is on the screen", async () => {
  const { askbox, clock } = await createStage();
  const [openedNext, lastPick] = [openedNextOn(askbox), lastPickOn(askbox)];
  openedNext.note("next");
  lastPick.note("1");
  await clock.advance(5_000);
  openedNext.shown("next");
  lastPick.moved();
  await clock.advance(399);
  // It is shown again, and the person goes on by themselves.
  openedNext.shown("next");
  lastPick.moved();
  expect([openedNext.isJustNow("next"), lastPick.isSamePress("1")]).toEqual([true, true]);
  expect([openedNext.isJustNow("other"), lastPick.isSamePress("2")]).toEqual([false, false]);
  await clock.advance(1);
  expect([openedNext.isJustNow("next"), lastPick.isSamePress("1")]).toEqual([false, false]);
});

test("a letter decides about an action 700 ms after the last one that was typed", async () => {
  const { stage, id, after, pane, refusal } = await paneOf(run);
  const field = document.createElement("textarea");
  pane.append(field);
  fireEvent.keyDown(field, { key: "a" });
  await after(699);
  await press("n");
  expect(refusal()).toBe(t("approval.letter"));
  // It belongs to what was typed, too.
  await after(699);
  await press("n");
  expect((await stage.view(id)).scheduled).toBeUndefined();
  await after(700);
  await press("n");
  await expect.poll(async () => (await stage.view(id)).scheduled).toBeDefined();
});

test("why an action was not allowed is shown for 5 s", async () => {
  const { after, refusal } = await paneOf(run);
  fireEvent(globalThis.window, new Event("focus"));
  expect(refusal()).toBeUndefined();
  await act(async () => void fireEvent.keyDown(document.body, { key: "Y", shiftKey: true }));
  expect(refusal()).toBe(t("approval.early"));
  await after(4_999);
  expect(refusal()).toBe(t("approval.early"));
  await after(1);
  expect(refusal()).toBeUndefined();
});

test("a comment on a line is in the draft once nothing was typed for 300 ms", async () => {
  const { after, form, pane } = await paneOf({
    id: "plan",
    type: "approval",
    question: "Is it right?",
    action: { kind: "plan", text: "Go." },
  });
  const comments = () => form.getState().fields["plan"]?.comments?.map(({ text }) => text);
  act(() => pane.querySelector<HTMLElement>("[data-takes]")?.focus());
  await press("j", "c");
  const field = () => pane.querySelector<HTMLTextAreaElement>(".line-comment textarea");
  await fill(field(), "Why");
  await after(299);
  await fill(field(), "Why not?");
  await after(299);
  expect(comments() ?? []).toEqual([]);
  await after(1);
  expect(comments()).toEqual(["Why not?"]);
});
