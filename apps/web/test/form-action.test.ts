import type { AskInput } from "@askbox/core";
import type { AnswerForm } from "@askbox/inbox";
import { expect, test } from "vitest";
import { createStage } from "../gallery/stage.ts";
import { type FormAction, type FormPress, formAction } from "../src/session/form-action.ts";
import { keymap } from "../src/ui/keyboard.ts";

async function opened(...questions: AskInput["questions"]) {
  const stage = await createStage();
  const { form, id } = await stage.ask({ questions });
  return { stage, form, id };
}

const pressed = (form: Pick<AnswerForm, "getState">, name: string, more: Partial<FormPress> = {}): FormAction | undefined => {
  const key = name.toLowerCase();
  const is: FormPress["is"] = (action) => keymap.is(key, action) || (name !== key && keymap.is(`shift+${key}`, action));
  return formAction(form.getState(), {
    key,
    is,
    repeats: false,
    shifted: undefined,
    onControl: false,
    focused: undefined,
    hasBefore: false,
    ...more,
  });
};
/** Presses keys that edit or move, as the page does. */
function press(form: AnswerForm, ...keys: string[]): void {
  for (const key of keys) {
    const action = pressed(form, key);
    if (action?.does === "edit") form.edit(action.question.id, action.edit);
    else if (action?.does === "go to") form.goTo(action.step);
    else throw new Error(`${key} does ${action?.does}.`);
  }
}
const answersIn = (form: AnswerForm) => form.toAnswerSet().answers.map(({ questionId: _, ...answer }) => answer);

const sure = { id: "sure", type: "confirm" as const, question: "Sure?" };
const fruit = { id: "fruit", type: "select" as const, question: "Which?", options: ["Apple", { label: "Pear", recommended: true }] };
const many = { id: "many", type: "multi-select" as const, question: "Which ones?", options: ["a", "b", "c"] };
const why = { id: "why", type: "text" as const, question: "Why?", required: false, suggestion: "Because" };
const size = { id: "size", type: "rating" as const, question: "How big?", max: 10 };
const ten = { ...fruit, id: "ten", options: Array.from({ length: 10 }, (_, index) => `Option ${index + 1}`) };
const allowed = {
  id: "may",
  type: "approval" as const,
  question: "May I?",
  action: { kind: "command" as const, tool: "Bash", command: "ls" },
};
const again = { id: "again", type: "ranking" as const, question: "What first?", options: ["Speed", "Price"] };

test("y and n answer a yes-or-no question, and nothing else", async () => {
  const { form } = await opened(sure, fruit);
  press(form, "n");
  expect(answersIn(form)[0]).toEqual({ values: ["no"] });
  press(form, "y");
  expect(answersIn(form)[0]).toEqual({ values: ["yes"] });
  press(form, "l");
  expect(pressed(form, "y")).toBeUndefined();
  expect(answersIn(form)[1]).toEqual({ values: [] });
});

test("digits pick options, Other after them, and 0 the tenth; in a choice of several they also unpick", async () => {
  const { form } = await opened(fruit, many, ten, size);
  press(form, "2");
  expect(answersIn(form)[0]).toEqual({ values: ["Pear"] });
  expect(pressed(form, "3")).toMatchObject({ edit: { kind: "other", other: true }, index: 2 });
  expect(pressed(form, "4")).toBeUndefined();
  press(form, "l", "1", "3", "1", "4");
  expect(form.getState().fields["many"]).toMatchObject({ values: ["c"], other: true });
  press(form, "4", "l", "0", "l", "0");
  expect(answersIn(form).slice(1)).toEqual([{ values: ["c"] }, { values: ["Option 10"] }, { values: ["10"] }]);
});

test("l and p move between the questions of a set, but not on one page", async () => {
  const { form } = await opened(sure, fruit);
  press(form, "l");
  expect(form.getState().step).toBe(1);
  press(form, "p");
  expect(form.getState().step).toBe(0);
  form.setLayout("page");
  expect([pressed(form, "l"), pressed(form, "p")]).toEqual([undefined, undefined]);
});

test("on one page a key applies to the question with the focus, or to the first without an answer", async () => {
  const { form } = await opened(sure, { ...sure, id: "second" });
  form.setLayout("page");
  expect(pressed(form, "y", { focused: "second" })).toMatchObject({ question: { id: "second" } });
  press(form, "n", "y");
  expect(answersIn(form)).toEqual([{ values: ["no"] }, { values: ["yes"] }]);
  expect(pressed(form, "y")).toBeUndefined();
});

test("F attaches a file to the question that is shown, and at the end to the comment, but to no decision", async () => {
  const { form } = await opened(why, allowed);
  expect(pressed(form, "F")).toMatchObject({ does: "attach", question: { id: "why" } });
  press(form, "l");
  expect(pressed(form, "F")?.does).not.toBe("attach");
  press(form, "l");
  expect(pressed(form, "F")).toEqual({ does: "attach", question: undefined });
});

test("r takes the recommendation or suggestion, s skips what is optional, o opens Other, m and v the question's parts", async () => {
  const { form } = await opened(fruit, why);
  press(form, "r");
  expect(answersIn(form)[0]).toEqual({ values: ["Pear"] });
  expect(pressed(form, "s")).toBeUndefined();
  expect(["m", "v"].map((key) => pressed(form, key)?.does)).toEqual(["note", "read"]);
  press(form, "o");
  expect(form.getState().fields["fruit"]).toMatchObject({ other: true });
  press(form, "l", "Alt+R");
  expect(answersIn(form)[1]).toEqual({ values: ["Because"] });
  press(form, "s");
  expect(form.getState().fields["why"]).toMatchObject({ skipped: true });
  press(form, "s");
  expect(answersIn(form)[1]).toEqual({ values: ["Because"] });
});

test("c, i, t, d, Enter and Escape are about the whole session", async () => {
  const { form } = await opened(fruit);
  const does = (key: string, more?: Partial<FormPress>) => pressed(form, key, more)?.does;
  expect(["c", "i", "t", "d", "Enter", "Ctrl+Enter", "Escape"].map((key) => does(key))).toEqual([
    ...(["comment", "ask back", "more time", "decline", "confirm", "confirm", "leave"] as const),
  ]);
  // A focused button takes Enter itself.
  expect([does("Enter", { onControl: true }), does("Ctrl+Enter", { onControl: true })]).toEqual([undefined, "confirm"]);
});

test("an approval is decided by y with Shift and by n alone; a ranking by no key of the form", async () => {
  const { form } = await opened(allowed, again);
  for (const key of [..."1230ea"]) expect([key, pressed(form, key)]).toEqual([key, undefined]);
  expect(pressed(form, "y")?.does).toBe("tell keys");
  expect(pressed(form, "Enter")?.does).toBe("confirm");
  expect(pressed(form, "Y")).toMatchObject({ does: "decide", decision: "allow" });
  expect(pressed(form, "n")).toMatchObject({ does: "decide", decision: "deny" });
  press(form, "l");
  expect([..."12yna"].map((key) => pressed(form, key))).toEqual([undefined, undefined, undefined, undefined, undefined]);
  const { form: lasting } = await opened({ ...allowed, grants: ["project"] });
  expect(pressed(lasting, "a")?.does).toBe("always");
});

test("a key that is held down, or that belongs to the pick before, answers nothing in the next question", async () => {
  const { form } = await opened(fruit, sure);
  for (const repeats of ["held", "soon"] as const) {
    expect(["2", "Enter", "l"].map((key) => pressed(form, key, { repeats })?.does)).toEqual(["nothing", "nothing", "nothing"]);
  }
  expect(pressed(form, "Escape", { repeats: "held" })?.does).toBe("leave");
});

test("an answer that is held or has been sent takes u, and Enter to the next question, and no other key", async () => {
  const { form } = await opened(sure);
  press(form, "y");
  await form.submit({ delay: 60_000 });
  const does = (key: string, more?: Partial<FormPress>) => pressed(form, key, more)?.does;
  expect(["u", "Enter", "Ctrl+Enter", "n", "1", "d"].map((key) => does(key))).toEqual([
    ...["undo", "open next", "open next", undefined, undefined, undefined],
  ]);
  expect(does("Enter", { onControl: true })).toBeUndefined();
  await form.recall();
  expect([does("u"), does("u", { hasBefore: true })]).toEqual([undefined, "undo before"]);
  await form.submit();
  expect([does("Enter"), does("u"), does("y")]).toEqual(["open next", undefined, undefined]);
});

test("e repeats an earlier answer, if there is one, which nothing else fills in", async () => {
  const { form } = await opened(sure);
  expect(pressed(form, "e")).toBeUndefined();
  const state = form.getState();
  const earlierAnswer = {
    sessionId: "earlier",
    by: { surface: "web" as const },
    at: 0,
    answers: [{ questionId: "sure", values: ["yes"] }],
  };
  const repeated = { getState: () => ({ ...state, session: { ...state.session, earlierAnswer } }) };
  expect(pressed(repeated, "e")).toEqual({ does: "earlier" });
  expect(answersIn(form)).toEqual([{ values: [] }]);
});

test("u takes back what was just sent, while other keys are not meant for the next question yet", async () => {
  const { form } = await opened(sure);
  expect(pressed(form, "u", { repeats: "soon", hasBefore: true })).toEqual({ does: "undo before" });
  press(form, "y");
  await form.submit({ delay: 60_000 });
  expect([pressed(form, "u", { repeats: "soon" }), pressed(form, "u", { repeats: "held" })]).toEqual([
    { does: "undo" },
    { does: "nothing" },
  ]);
});
