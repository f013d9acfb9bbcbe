import { checkAnswers, parseAsk } from "@askbox/core";
import { answerText, expectedAnswer, isTyped, offeredOptions, takesOther, traitsOf } from "@askbox/core/questions";
import { seededIds } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";
import { asked, refusalOf } from "./support.ts";

const options = ["speed", { label: "Price", value: "price" }, "size"];
const check = (values: string[], fields: Record<string, unknown> = {}) => {
  const question = asked("ranking", { options, ...fields });
  const checked = checkAnswers([question], [{ questionId: question.id, values }]);
  return checked.ok ? checked.answers.map((answer) => answer.values) : checked.issues.map(({ code, message }) => `${code}: ${message}`);
};

describe("a ranking", () => {
  test("offers its options for ordering, without Other", () => {
    const question = asked("ranking", { options, allowOther: true, placeholder: "?" });
    expect(question).toMatchObject({ type: "ranking", options: [{ value: "speed" }, { value: "price" }, { value: "size" }] });
    expect(Object.keys(question)).not.toEqual(expect.arrayContaining(["allowOther"]));
    expect([takesOther(question), isTyped(question), traitsOf(question).picks]).toEqual([false, false, "order"]);
    expect(offeredOptions(question).map(({ label }) => label)).toEqual(["speed", "Price", "size"]);
    expect(expectedAnswer(question)).toBe("all 3 options in order of preference, the best first");
  });

  test("is answered by all options exactly once, in the person's order", () => {
    expect(check(["size", "speed", "price"])).toEqual([["size", "speed", "price"]]);
    expect(answerText(asked("ranking", { options }), { questionId: "q", values: ["size", "price", "speed"] })).toBe("size, Price, speed");
    expect(check(["size", "speed"])).toEqual(["too_few_choices: Put all 3 options in order; 2 are."]);
    expect(check(["size", "speed", "size"])).toEqual(['shape: "size" is chosen twice.']);
    expect(check(["size", "speed", "weight"])).toEqual(['not_an_option: "weight" is not one of the options.']);
    expect(check(["size", "speed", "price", "price"])).toEqual(['shape: "price" is chosen twice.']);
  });

  test("is required or can be skipped", () => {
    expect(check([])).toEqual(["required: An answer is required."]);
    expect(check([], { required: false })).toEqual([[]]);
  });

  test("is recognised by the names that agents use for it", () => {
    const { questions } = parseAsk({ questions: [{ question: "?", type: "Rank", options }] }, { ids: seededIds() });
    expect(questions).toMatchObject([{ type: "ranking" }]);
  });

  test.each<[Record<string, unknown>, string]>([
    [{}, "questions[0] needs at least two options to be put in order"],
    [{ options: ["a"] }, "questions[0] needs at least two options to be put in order"],
    [{ options: ["a", "a"] }, 'questions[0] offers the option "a" twice'],
  ])("with %j is rejected with a sentence", (fields, sentence) => {
    expect(refusalOf("ranking", fields)).toBe(sentence);
  });
});
