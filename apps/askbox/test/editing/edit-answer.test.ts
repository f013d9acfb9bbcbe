import { expect, test } from "vitest";
import { openInbox } from "../support/inbox.ts";

const review = { id: "look", type: "review" as const, question: "Is this right?", document: "# Plan\n\nDrop the table." };
const style = { id: "style", question: "Which style?", type: "select" as const, options: ["Tailwind", "CSS"] };
const why = { id: "why", question: "Why?" };
const denies = (text: string) => text.replace("decision: ", "decision: request changes").replace("table.\n", "table.\n>> Keep it.\n");

test("a review is answered in an editor, and its file is deleted", async () => {
  const inbox = await openInbox();
  const { id } = await inbox.ask({ questions: [review] });
  const ran = await inbox.run(["answer", id.slice(0, 6), "--edit"], { editor: denies });
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining("Request changes") });
  const comments = [{ line: 3, quote: "Drop the table.", text: "Keep it." }];
  expect((await inbox.desk.get(id)).outcome).toMatchObject({ answers: [{ values: ["request_changes"], comments }] });
  expect([...inbox.edits]).toEqual([]);
});

test("a text of a set is written in an editor, beside the others' answers", async () => {
  const inbox = await openInbox();
  const { id } = await inbox.ask({ questions: [style, why] });
  const ran = await inbox.run(["answer", "--edit", "why", id, "--set", "style=CSS"], { editor: (text) => `${text}It is\nfast.\n` });
  expect(ran).toMatchObject({ code: 0 });
  expect((await inbox.desk.get(id)).outcome).toMatchObject({ answers: [{ values: ["CSS"] }, { values: ["It is\nfast."] }] });
});

test("the id after --edit is that of the questions if no other is given", async () => {
  const inbox = await openInbox();
  const { id } = await inbox.ask({ questions: [why] });
  expect(await inbox.run(["answer", "--edit", id], { editor: (text) => `${text}Yes.` })).toMatchObject({ code: 0 });
});

test("an unchanged file sends nothing", async () => {
  const inbox = await openInbox();
  const { id } = await inbox.ask({ questions: [review] });
  await inbox.desk.saveDraft(id, { fields: { look: { values: ["approve"] } } });
  expect(await inbox.run(["answer", id, "--edit"])).toEqual({ code: 1, stdout: "", stderr: "Nothing was changed, so nothing was sent.\n" });
  expect((await inbox.desk.get(id)).status).toBe("pending");
  expect([...inbox.edits]).toEqual([]);
});

test.each([
  ["a broken file", (text: string) => text.replace("# Plan", "# Another plan"), /is neither the document's next line/],
  ["an answer that the hub refuses", (text: string) => denies(text).replace("Keep it.", "x".repeat(300_000)), /at most 262144 are allowed/],
])("%s is kept, and nothing is sent", async (_name, editor, problem) => {
  const inbox = await openInbox();
  const { id } = await inbox.ask({ questions: [review] });
  const ran = await inbox.run(["answer", id, "--edit"], { editor });
  expect(ran.code).not.toBe(0);
  expect(ran.stderr).toMatch(problem);
  expect(ran.stderr).toContain(`What you wrote is kept in /edits/${id}-1.md`);
  expect((await inbox.desk.get(id)).status).toBe("pending");
  expect([...inbox.edits]).toEqual([`${id}-1.md`]);
});

test("what was written is kept if somebody else answered meanwhile", async () => {
  const inbox = await openInbox();
  const { id } = await inbox.ask({ questions: [review] });
  const beforeAnswer = async () => void (await inbox.desk.answer(id, { answers: [{ questionId: "look", values: ["approve"] }] }));
  const ran = await inbox.run(["answer", id, "--edit"], { editor: denies, beforeAnswer });
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining(`What you wrote is kept in /edits/${id}-1.md`) });
  const again = await inbox.run(["answer", id, "--edit"], { editor: () => expect.fail("It must not open.") });
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("already settled") });
});

test.each([
  ["no text or document", [style], ["--edit"], "--edit is for texts and documents, and"],
  ["a choice by its id", [style, why], ["--edit", "style"], "style is answered by one of its options"],
  ["several that could be meant", [review, why], ["--edit"], "--edit takes one question: its questions are look, why."],
  ["an unknown one", [review], ["--edit", "no"], '--edit: there is no question "no" here'],
  ["an answer of its own besides", [why], ["--edit", "why", "--set", "why=So"], "remove the other one"],
])("--edit refuses %s", async (_name, questions, options, problem) => {
  const inbox = await openInbox();
  const { id } = await inbox.ask({ questions });
  const ran = await inbox.run(["answer", id, ...options], { editor: () => expect.fail("It must not open.") });
  expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining(problem) });
});
