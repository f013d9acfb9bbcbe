import type { Question } from "@askbox/core";
import { describe, expect, test } from "vitest";
import {
  actionId,
  answerIn,
  type CardVerb,
  cardSchema,
  decodedAction,
  encodedAction,
  fieldOf,
  keepField,
  partsOfActionId,
} from "../src/card.ts";

describe("a button's id", () => {
  // Messages that people have, and prompts that a home of today has stored, are read by these letters.
  test.each<[CardVerb, string]>([
    ["show", "p"],
    ["pick", "a"],
    ["toggle", "t"],
    ["rank", "r"],
    ["clear", "R"],
    ["skip", "k"],
    ["send", "x"],
    ["undo", "u"],
    ["goTo", "g"],
    ["menu", "m"],
    ["snooze", "z"],
    ["decline", "q"],
    ["openAnswer", "w"],
    ["openAskBack", "b"],
    ["openComment", "c"],
    ["openDenial", "d"],
    ["write", "W"],
    ["attach", "F"],
    ["askBack", "B"],
    ["comment", "C"],
    ["deny", "D"],
  ])("says %s with its letter, and is read so", (verb, letter) => {
    expect(encodedAction({ verb, numbers: [0, 12, 1] })).toBe(`${letter}0.12.1`);
    expect(decodedAction(`${letter}0.12.1`)).toEqual({ verb, numbers: [0, 12, 1] });
    expect(decodedAction(letter)).toEqual({ verb, numbers: [] });
  });

  test("begins with its card", () => {
    const id = actionId({ id: "AAAA-AAAA" }, "pick", 0, 2);
    expect(id).toBe("AAAA-AAAA.a0.2");
    expect(partsOfActionId(id)).toEqual({ cardId: "AAAA-AAAA", action: "a0.2" });
  });

  test.each(["", "l0", "a0.", "a00.1", "a0.1x", "pick", "aa"])("that is %j after its card does nothing", (action) => {
    expect(decodedAction(action)).toBeUndefined();
  });
});

describe("what was picked for a question", () => {
  const question: Question = {
    id: "q",
    type: "select",
    question: "Which?",
    required: false,
    options: [{ value: "a", label: "A" }],
    allowOther: true,
  };
  const stored = { id: "AAAA", chat: "1", sessionId: "s", at: 1 };

  test("is read from a card that a home of today has stored", () => {
    const card = cardSchema.parse({ ...stored, answers: [{ questionId: "q", values: [], customText: "mine" }] });
    expect(answerIn(card, question)).toEqual({ questionId: "q", values: [], customText: "mine" });
  });

  test("is stored with the card, a skip too", () => {
    const card = cardSchema.parse(stored);
    keepField(card, "q", { ...fieldOf(card, "q"), skipped: true });
    const again = cardSchema.parse(JSON.parse(JSON.stringify(card)));
    expect(fieldOf(again, "q").skipped).toBe(true);
    expect(answerIn(again, question)).toEqual({ questionId: "q", values: [] });
  });
});
