import type { AnswerSet, AskInput } from "@askbox/core";
import { act, fireEvent } from "@testing-library/react";
import { createElement } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { AnswerPane } from "../src/session/answer-pane.tsx";
import { cleansUp, opened, shown } from "./page.ts";

cleansUp();

afterEach(() => void vi.restoreAllMocks());

const input: AskInput = {
  questions: [
    { id: "why", type: "text", question: "Why?" },
    { id: "fruit", type: "select", question: "Which?", options: ["Apple", "Pear"], required: false },
  ],
};
const answerSet: AnswerSet = { answers: [{ questionId: "why", values: ["Because"] }] };

/** What is shown of a draft when another device has settled the session. */
async function afterwards(draft: { why?: string; fruit?: string; comment?: string }, end: "answer" | "cancel") {
  const { stage, form, id } = await opened(input);
  const pane = shown(stage, createElement(AnswerPane, { session: await stage.view(id) }));
  const desk = stage.broker.desk({ surface: "terminal", name: "Ada" });
  await act(async () => {
    form.focus({ questionId: "why" });
    if (draft.why !== undefined) form.setText("why", draft.why);
    if (draft.fruit !== undefined) form.choose("fruit", draft.fruit);
    if (draft.comment !== undefined) form.setComment(draft.comment);
    stage.askbox.inbox.accept(await (end === "answer" ? desk.answer(id, answerSet) : desk.cancel(id)));
  });
  return { unsent: pane.querySelector("[data-testid=unsent]"), stage, id };
}

test("what was written here is shown when the session is settled elsewhere, and can be copied", async () => {
  const copied: string[] = [];
  vi.spyOn(navigator.clipboard, "writeText").mockImplementation(async (text) => void copied.push(text));
  const { unsent } = await afterwards({ why: "For speed", comment: "Hurry" }, "answer");
  expect(unsent?.querySelector(".answers")?.textContent).toBe("Why?For speedCommentHurry");
  await act(async () => void fireEvent.click(unsent?.querySelector("button") as Element));
  expect(copied).toEqual(["Why?\nFor speed\n\nHurry"]);
  expect(unsent?.textContent).toContain("Copied");
});

test("a browser that forbids copying says so", async () => {
  vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new Error("forbidden"));
  const { unsent } = await afterwards({ fruit: "Pear" }, "cancel");
  await act(async () => void fireEvent.click(unsent?.querySelector("button") as Element));
  expect(unsent?.textContent).toContain("select the text to copy it");
});

test("nothing is shown without a draft, or if the draft says what was answered", async () => {
  expect((await afterwards({}, "answer")).unsent).toBeNull();
  expect((await afterwards({ why: "Because" }, "answer")).unsent).toBeNull();
  expect((await afterwards({ why: "Because" }, "cancel")).unsent).not.toBeNull();
});

test("the draft can be sent as a follow-up, once, which the agent is given besides the answer", async () => {
  const { unsent, stage, id } = await afterwards({ why: "For speed" }, "answer");
  const button = () => [...(unsent?.querySelectorAll("button") ?? [])].find(({ textContent }) => textContent === "Send as a follow-up");
  await act(async () => void fireEvent.click(button() as Element));
  await expect.poll(() => button()).toBeUndefined();
  expect(unsent?.textContent).toContain("Sent.");
  const { thread, outcome } = await stage.view(id);
  expect(thread).toMatchObject([{ text: "Why?\nFor speed", by: { surface: "web" } }]);
  expect(outcome).toMatchObject({ kind: "answered", answers: [{ questionId: "why", values: ["Because"] }, {}] });
});
