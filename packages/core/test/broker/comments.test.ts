import { parseAsk } from "@askbox/core";
import { seededIds } from "@askbox/core/testing";
import { expect, test } from "vitest";
import { aHub } from "./support.ts";

const ask = (question: object) => parseAsk({ questions: [{ id: "q", question: "?", ...question }] }, { ids: seededIds() });
const comments = [{ line: 3, text: "Keep it." }];
const list = "- Line 3\n  > Drop the table.\n\n  Keep it.";
const document = "# Plan\n\nDrop the table.";

test("comments reach the agent as data with what they quote, and as a list after the note", async () => {
  const { desk, opened } = await aHub();
  const { session } = await opened(ask({ type: "review", document }));
  const view = await desk.answer(session.id, { answers: [{ questionId: "q", values: ["approve"], note: "Nearly.", comments }] });
  expect(view.outcome).toMatchObject({
    answers: [{ values: ["approve_with_comments"], note: `Nearly.\n\n${list}`, comments: [{ line: 3, quote: "Drop the table." }] }],
  });
});

test("comments on a plan are the reason of its denial, and can't come with `allow`", async () => {
  const { desk, opened } = await aHub();
  const { session } = await opened(ask({ type: "approval", action: { kind: "plan", text: document } }));
  await expect(desk.answer(session.id, { answers: [{ questionId: "q", values: ["allow"], comments }] })).rejects.toMatchObject({
    code: "INVALID_ANSWER",
    message: "Comments are sent with a denial.",
  });
  const view = await desk.answer(session.id, { answers: [{ questionId: "q", values: ["deny"], comments }] }, { delay: 1_000 });
  expect(view.scheduled).toMatchObject({ answers: [{ values: ["deny"], customText: list }] });
});

test.each([
  [{ type: "review", document }, { line: 9, text: "?" }, "Line 9 is not in the document."],
  [{ type: "text" }, { line: 1, text: "?" }, "This question takes no comments."],
])("a comment on nothing is rejected with a sentence", async (question, comment, message) => {
  const { desk, opened } = await aHub();
  const { session } = await opened(ask(question));
  const answers = [{ questionId: "q", values: ["approve"], comments: [comment] }];
  await expect(desk.answer(session.id, { answers })).rejects.toMatchObject({ code: "INVALID_ANSWER", message });
});
