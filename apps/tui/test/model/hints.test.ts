import type { Question } from "@askbox/core";
import { emptyField, type Field } from "@askbox/inbox";
import { expect, test } from "vitest";
import { hintsOf } from "../../src/model/hints.ts";
import { situations } from "./cases.ts";
import { aForm, aSession, inForm, outcomeOf, questions, type Situation, seenIn, shot, typing } from "./situations.ts";

const { pick, several, sure, name } = questions;
const options = ["speed", "size"].map((value) => ({ value, label: value }));
const order: Question = { id: "order", type: "ranking", question: "In which order?", required: true, options };
const run: Question = { id: "run", type: "approval", question: "May I?", required: true, action: { kind: "command", command: "ls" } };

/** One question, with this much of it answered and the cursor on this item. */
const one = (question: Question, field: Partial<Field> = {}, item = 0): Situation =>
  inForm(aForm([question], { fields: { [question.id]: { ...emptyField, ...field } } }), { item });
const both = aForm([pick, several]);
const diff = ["a", "b"].map((name) => `--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-old\n+new`).join("\n");
const read: Question = { id: "read", type: "review", question: "Is this right?", required: true, document: diff };
/** The document of a review, with the cursor on its fourth line. */
const document = (question: Question, field: Partial<Field> = {}): Situation => {
  const { form, ui } = one(question, field);
  return { ...(form && { form }), ui: { ...ui, overlay: { kind: "document", from: 3, to: 3 } } };
};

const more: Record<string, Situation> = {
  "in a ranking": one(order),
  "in a ranking that is answered": one(order, { values: ["speed", "size"] }),
  "in an approval": one(run),
  "in a review": one(read),
  "in the document of a review": document(read),
  "in the document of a review, with a verdict": document(read, { values: ["approve"] }),
  "in a document of one line": document({ ...read, document: "All of it." }),
  "in an approval that is decided": one(run, { values: ["deny"] }, 1),
  "on a file of the comment on an approval": inForm(aForm([run], { files: [shot] }), { item: 3 }),
  "on an option that is picked": one(pick, { values: ["apple"] }),
  "on another option than the picked one": one(pick, { values: ["apple"] }, 1),
  "on Other": one(pick, {}, 2),
  "on Other, which has a text": one(pick, { other: true, otherText: "fig" }, 2),
  "on a note": one(pick, { note: "hm" }, 3),
  "in several choices": one({ ...several, required: true }),
  "in several choices, one of them picked": one(several, { values: ["apple"] }),
  "in an optional question": one({ ...pick, required: false }),
  "in a question of a set": inForm(both),
  "in an optional question of a set": inForm({ ...both, step: 1 }),
  "in Other of a set": typing(both, { kind: "other", questionId: "pick" }, "fig", { item: 2 }),
  "on an answer in the review": inForm({ ...both, step: 2 }, { item: 0 }),
  "on a file of the comment": inForm({ ...both, step: 2, files: [shot] }, { item: 3 }),
  "in the path of a file for the comment": typing({ ...both, step: 2 }, { kind: "commentFile" }, "/tmp/a", { item: 3 }),
  "in an empty message to the agent": typing(aForm([pick]), { kind: "message" }, "", { overlay: { kind: "askBack" } }),
  "on a file of a message": typing(aForm([pick]), { kind: "message", file: 0 }, "", {
    overlay: { kind: "askBack" },
    messageFiles: { s1: { attached: [shot], uploading: 0 } },
  }),
  "in a message about a settled question": typing(
    aForm([pick], { phase: "settled", session: aSession([pick], { status: "answered" }) }),
    { kind: "message" },
    "why",
    { overlay: { kind: "askBack" } },
  ),
  "in a text after Esc": inForm(aForm([{ ...name, required: false }])),
  "in a popup": { ...inForm(aForm([sure])), once: true },
  "in a set that was answered before": inForm({
    ...both,
    session: aSession(both.session.questions, { earlierAnswer: { sessionId: "s0", answers: [], by: { surface: "web" }, at: 0 } }),
  }),
  "in a session that was settled elsewhere": inForm(
    aForm([name], {
      phase: "settled",
      session: aSession([name], { status: "cancelled", outcome: { kind: "cancelled", at: 1, by: { surface: "web" } } }),
      fields: { name: { ...emptyField, values: ["mill"] } },
    }),
  ),
};

/** What a key says when it does nothing else. */
const refusal =
  /^says (Nothing is picked|Something else|There is no answer|This question needs|The agent has already|An approval is|Open a)/;

test.each(Object.entries<Situation>({ ...situations, ...more }))("each key that is offered %s does something", (_name, situation) => {
  const { state, seen } = seenIn(situation);
  for (const { key, press } of hintsOf(state, seen)) {
    if (state.editing !== undefined) expect([...press].length, key).toBeGreaterThan(1);
    const outcome = outcomeOf({ ...situation, hasJustSent: false }, press, [...press].length === 1 ? press : undefined);
    expect(outcome, `${key} ${press}`).not.toEqual([]);
    expect(
      outcome.filter((what) => refusal.test(what)),
      `${key} ${press}`,
    ).toEqual([]);
  }
});

test.each([
  ["in a ranking", "shift+↑↓ move, 1–9 rank, r keep this order, m note, d decline"],
  ["in a ranking that is answered", "shift+↑↓ move, 1–9 rank, enter send, m note, d decline"],
  ["on a file of the comment on an approval", "n deny, Y allow once, delete remove, m note, d deny, with a reason"],
  ["in the document of a review", "c comment, v viewed, n next, shift+↑↓ more lines, ? keys, esc close"],
  ["in the document of a review, with a verdict", "c comment, v viewed, n next, ctrl+s send"],
  ["in a document of one line", "c comment, ? keys, esc close"],
  ["in an approval", "n deny, Y allow once, space choose, m note, d deny, with a reason"],
  ["on an option that is picked", "1–9 pick, enter send, m note, d decline"],
  ["on another option than the picked one", "1–9 pick, space pick this, m note, d decline"],
  ["on Other", "1–9 pick, enter type, m note, d decline"],
  ["in a text after Esc", "enter type, r suggestion, s skip, m note, d decline"],
  ["in Other of a set", "enter go on, ctrl+j new line, ctrl+g editor, tab next, esc stop typing"],
  ["in an empty message to the agent", "ctrl+o file, ctrl+j new line, ctrl+g editor, esc close"],
  ["on a file of a message", "delete remove, enter ask, ctrl+o file"],
  ["in the path of a file for a message", "enter attach, tab complete, esc back"],
  ["on the review", "enter send, 1–9 change, c comment, F file, i ask first"],
  ["on a file of the comment", "enter send, delete remove, 1–9 change, c comment, F file"],
  ["in the path of a file for the comment", "enter attach, tab complete, esc stop typing"],
  ["in a message about a settled question", "enter send, ctrl+j new line, ctrl+g editor, esc close"],
  ["in a popup", "y yes, n no, space pick this, m note, d decline, F file, i ask first, t more time, z snooze, esc leave, ? keys"],
  ["in a session that was settled elsewhere", "enter close, w copy what you wrote, i send as a follow-up, ↑↓ scroll"],
])("the keys offered %s are: %s", (name, words) => {
  const { state, seen } = seenIn({ ...situations, ...more }[name] as Situation);
  const offered = hintsOf(state, seen).map((hint) => `${hint.key} ${hint.words}`);
  expect(offered.join(", ").startsWith(words), offered.join(", ")).toBe(true);
});
