import { checkAnswer, expectedAnswer } from "@askbox/core/questions";
import { describe, expect, test } from "vitest";
import { asked, kept, refusalOf } from "./support.ts";

const options = ["a", "b", "c"];

describe("a multiple choice", () => {
  test("enforces how many options must be selected, counting Other", () => {
    const question = asked("multi-select", { options, minChoices: 2, maxChoices: 3 });
    expect(kept(question, "a")).toEqual({ refused: "Choose at least 2; 1 chosen so far." });
    expect(kept(question, "a", "b")).toEqual({ value: "a" });
    expect(checkAnswer(question, { questionId: "q", values: ["a"], customText: "d" })).toBeUndefined();
    expect(checkAnswer(question, { questionId: "q", values: options, customText: "d" })).toBe("Choose at most 3; 4 are chosen.");
    expect(expectedAnswer(question)).toBe("choose 2 to 3");
  });

  test("can be skipped if it is optional, whatever its minimum", () => {
    expect(kept(asked("multi-select", { options, minChoices: 2, required: false }))).toEqual({ value: undefined });
  });

  test.each<[Record<string, unknown>, string]>([
    [{ minChoices: 3, maxChoices: 2 }, "questions[0] has a minChoices of 3 above its maxChoices of 2; no answer could be valid"],
    [{ minChoices: 4, allowOther: false }, "questions[0] wants at least 4 choices and offers 3 options"],
    [{ maxChoices: 0 }, "questions[0].maxChoices must be at least 1"],
  ])("with %j is rejected with a sentence", (fields, sentence) => {
    expect(refusalOf("multi-select", { options, ...fields })).toBe(sentence);
  });
});

describe("a yes-or-no question", () => {
  test("can have a suggestion, which does not answer it", () => {
    expect(asked("confirm", { suggestion: false })).toMatchObject({ suggestion: "no" });
    expect(kept(asked("confirm", { suggestion: "yes" }))).toEqual({ refused: "An answer is required." });
    expect(refusalOf("confirm", { suggestion: "maybe" })).toBe('questions[0].suggestion must be "yes" or "no"');
  });
});
