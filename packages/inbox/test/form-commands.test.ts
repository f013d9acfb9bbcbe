import type { AskInput, SessionView } from "@askbox/core";
import { expect, test } from "vitest";
import { decliningWords, type FormCommand, formCommand, formCommands } from "../src/commands/index.ts";
import type { FormState } from "../src/index.ts";
import { aWorld } from "./support.ts";

/** The form of these questions, on the first of them. */
async function formOf(questions: AskInput["questions"]): Promise<FormState> {
  const world = await aWorld();
  const id = await world.ask({ questions } as never);
  const device = await world.device();
  return device.forms.of(device.inbox.find(id) as SessionView).getState();
}

/** What applies, with its words. */
const here = (state: FormState): Partial<Record<FormCommand, string>> =>
  Object.fromEntries(
    formCommands.flatMap((name) => {
      const words = formCommand(name, state, state.session.questions[state.step]);
      return words === undefined ? [] : [[name, words]];
    }),
  );

test("an approval is allowed or denied in its own words, and leaves nothing to ask back", async () => {
  const state = await formOf([
    { id: "q", type: "approval", question: "May I?", required: true, action: { kind: "command", command: "ls" } } as never,
  ]);
  expect(here(state)).toMatchObject({ allow: "allow once", no: "deny", cancel: "deny, with a reason" });
  expect(here(state)).not.toHaveProperty("askBack");
  expect(decliningWords(state.session)).toBe("deny");
});

test("a proposal is taken, an optional question is skipped and not skipped, and a set is declined", async () => {
  const pick = { id: "q", type: "select", question: "Which?", required: false, options: [{ value: "a", label: "A", recommended: true }] };
  const state = await formOf([pick as never]);
  expect(here(state)).toMatchObject({ recommended: "recommended", skip: "skip", cancel: "decline", askBack: "ask first" });
  const skipped = { ...state, fields: { q: { ...state.fields["q"], skipped: true } as never } };
  expect(formCommand("skip", skipped, state.session.questions[0])).toBe("don't skip");
});

test("after the deadline only what belongs to a reply applies", async () => {
  const state = await formOf([{ id: "q", type: "text", question: "Why?", required: true } as never]);
  expect(Object.keys(here({ ...state, mode: "reply" }))).toEqual(expect.not.arrayContaining(["cancel", "askBack", "moreTime", "snooze"]));
  expect(here({ ...state, phase: "scheduled" })).toHaveProperty("undo");
});
