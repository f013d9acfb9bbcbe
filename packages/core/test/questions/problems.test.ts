import { type Answer, checkAnswers } from "@askbox/core";
import { type AnswerProblem, answerProblem, checkAnswer, type QuestionTypeName } from "@askbox/core/questions";
import { anAsk, anOutcome } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";
import { asked } from "./support.ts";

type Case = [type: QuestionTypeName, fields: Record<string, unknown>, answer: Partial<Answer>, problem: AnswerProblem];

const options = ["a", "b", "c"];
const required: AnswerProblem = { code: "required", message: "An answer is required." };
const long = "x".repeat(61);
const shortened = `${"x".repeat(57)}…`;

describe("an answer's problem has a code, a sentence, and the limit it violates", () => {
  test.each<Case>([
    ["text", {}, { values: [] }, required],
    ["text", {}, { values: [" \n"] }, required],
    [
      "text",
      { required: false },
      { values: [" "] },
      { code: "blank", message: "A blank text is not an answer; skip the question instead." },
    ],
    ["text", {}, { values: ["a", "b"] }, { code: "shape", message: "A text question takes a single text." }],
    [
      "text",
      {},
      { values: [], customText: "a" },
      { code: "shape", message: "A text question takes its text in values, not as customText." },
    ],
    [
      "text",
      { maxLength: 1 },
      { values: ["ab"] },
      { code: "too_long", message: "The text must be at most 1 character long; it has 2.", limit: "1" },
    ],
    [
      "text",
      { minLength: 3 },
      { values: ["ab"] },
      { code: "too_short", message: "The text must be at least 3 characters long; it has 2.", limit: "3" },
    ],
    [
      "text",
      { minLength: 3 },
      { values: ["😀😀"] },
      { code: "too_short", message: "The text must be at least 3 characters long; it has 2.", limit: "3" },
    ],
    [
      "text",
      { format: "email" },
      { values: ["ada"] },
      { code: "not_an_email", message: "This is not an email address; enter one such as ada@example.com." },
    ],
    [
      "text",
      { format: "url" },
      { values: ["ada"] },
      { code: "not_a_url", message: "This is not a web address; enter the full address, such as https://example.com/page." },
    ],
    [
      "text",
      { format: "date-time" },
      { values: ["ada"] },
      { code: "not_a_date_time", message: "Enter date, time and zone as 2026-03-05T14:30:00Z or 2026-03-05T14:30:00+01:00." },
    ],
    ["select", { options }, { values: [] }, required],
    ["select", { options }, { values: ["d"] }, { code: "not_an_option", message: '"d" is not one of the options.' }],
    ["select", { options }, { values: [long] }, { code: "not_an_option", message: `"${shortened}" is not one of the options.` }],
    ["select", { options }, { values: ["a", "b"] }, { code: "too_many_choices", message: "Choose a single option, or Other.", limit: "1" }],
    [
      "select",
      { options },
      { values: ["a"], customText: "d" },
      { code: "too_many_choices", message: "Choose a single option, or Other.", limit: "1" },
    ],
    ["select", { options }, { values: [], customText: " " }, { code: "blank_other", message: "The text of Other is blank." }],
    [
      "select",
      { options, allowOther: false },
      { values: [], customText: "d" },
      { code: "shape", message: "This question accepts only its options." },
    ],
    ["multi-select", { options }, { values: ["a", "a"] }, { code: "shape", message: '"a" is chosen twice.' }],
    ["multi-select", { options: [long, "b"] }, { values: [long, long] }, { code: "shape", message: `"${shortened}" is chosen twice.` }],
    [
      "multi-select",
      { options, minChoices: 2 },
      { values: ["a"] },
      { code: "too_few_choices", message: "Choose at least 2; 1 chosen so far.", limit: "2" },
    ],
    [
      "multi-select",
      { options, maxChoices: 1 },
      { values: ["a"], customText: "d" },
      { code: "too_many_choices", message: "Choose at most 1; 2 are chosen.", limit: "1" },
    ],
    ["confirm", {}, { values: [] }, required],
    ["confirm", {}, { values: ["maybe"] }, { code: "shape", message: "Answer yes or no." }],
    ["confirm", {}, { values: ["yes", "no"] }, { code: "shape", message: "Answer yes or no." }],
    [
      "confirm",
      {},
      { values: [], customText: "perhaps" },
      { code: "shape", message: "A yes-or-no question has no Other; answer yes or no, and add a note." },
    ],
    ["number", { integer: true }, { values: ["1.5"] }, { code: "not_whole", message: "Enter a whole number, without a point." }],
    ["number", { min: 1.5 }, { values: ["1"] }, { code: "too_small", message: "The number must be at least 1.5.", limit: "1.5" }],
    ["number", { max: 1.5 }, { values: ["2"] }, { code: "too_large", message: "The number must be at most 1.5.", limit: "1.5" }],
    [
      "number",
      {},
      { values: [], customText: "1" },
      { code: "shape", message: "A number question takes its number in values, not as customText." },
    ],
    [
      "number",
      {},
      { values: ["1,5"] },
      {
        code: "not_a_number",
        message:
          "This isn't a number, or can be read in more than one way; use only digits, with a point for decimals, such as 1000 or 1.5.",
      },
    ],
    [
      "number",
      {},
      { values: ["1.000"] },
      {
        code: "ambiguous_number",
        message: "This can be read in two ways; leave out the trailing zeros, or the point.",
      },
    ],
    [
      "number",
      {},
      { values: ["9007199254740993"] },
      { code: "too_precise", message: "This number has too many digits to be stored exactly; the limit is about 15." },
    ],
    ["date", {}, { values: ["soon"] }, { code: "not_a_date", message: "Enter a date as YYYY-MM-DD, such as 2026-03-05." }],
    [
      "date",
      { min: "2026-01-02" },
      { values: ["2026-01-01"] },
      { code: "too_early", message: "The date must be 2026-01-02 or later.", limit: "2026-01-02" },
    ],
    [
      "date",
      { max: "2026-01-02" },
      { values: ["2026-01-03"] },
      { code: "too_late", message: "The date must be 2026-01-02 or earlier.", limit: "2026-01-02" },
    ],
    ["date", {}, { values: ["2026-01-01", "2026-01-02"] }, { code: "shape", message: "A date question takes a single date." }],
    ["rating", { max: 3 }, { values: ["4"] }, { code: "not_a_rating", message: "Rate with a whole number from 1 to 3.", limit: "3" }],
    ["rating", {}, { values: ["1", "2"] }, { code: "shape", message: "A rating question takes a single rating." }],
  ])("%s with %j: %j is rejected with %j", (type, fields, answer, problem) => {
    const answered = { questionId: "q", values: [], ...answer };
    expect(answerProblem(asked(type, fields), answered)).toStrictEqual(problem);
    expect(checkAnswer(asked(type, fields), answered)).toBe(problem.message);
  });

  test.each<[QuestionTypeName, Record<string, unknown>, Partial<Answer>]>([
    ["text", { minLength: 2, maxLength: 2 }, { values: ["ab"] }],
    ["text", { minLength: 1, maxLength: 2 }, { values: ["😀"] }],
    ["text", { format: "email" }, { values: [`${"a".repeat(59)}@${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(60)}.example.com`] }],
    ["text", { format: "url" }, { values: ["tel:12345"] }],
    ["text", { format: "url" }, { values: ["sms:12345"] }],
    ["text", { format: "url" }, { values: ["foo:123456"] }],
    ["text", { format: "url" }, { values: ["foo:12a"] }],
    ["text", { format: "date-time" }, { values: ["2026-03-05t23:59:59.123456789z"] }],
    ["text", { format: "date-time" }, { values: ["2026-03-05T00:00:00-23:59"] }],
    ["select", { options }, { values: ["a"] }],
    ["select", { options }, { values: [], customText: "d" }],
    ["select", { options, required: false }, { values: [] }],
    ["multi-select", { options, minChoices: 4, maxChoices: 4 }, { values: options, customText: "d" }],
    ["confirm", { required: false }, { values: [] }],
    ["confirm", {}, { values: ["no"] }],
    ["number", { min: 1, max: 1, integer: true }, { values: ["1"] }],
    ["date", { min: "2026-01-02", max: "2026-01-02" }, { values: ["2026-01-02"] }],
    ["date", {}, { values: ["0001-12-01"] }],
    ["rating", { max: 2 }, { values: ["2"] }],
  ])("%s with %j: %j is accepted", (type, fields, answer) => {
    expect(answerProblem(asked(type, fields), { questionId: "q", values: [], ...answer })).toBeUndefined();
  });

  test.each<[string, string]>([
    ["url", "EXAMPLE.com:80"],
    ["url", "localhost:3000#top"],
    ["url", "localhost:3000?x"],
    ["url", "https://example.com/\tx"],
    ["date-time", "x2026-03-05T14:30:00Z"],
    ["date-time", "2026-03-05T14:30:00Zx"],
    ["date-time", "2026-03-05T14:60:00Z"],
    ["date-time", "2026-03-05T14:30:60Z"],
    ["date-time", "2026-03-05T14:30:00+24:00"],
    ["date-time", "2026-03-05T14:30:00+01:60"],
    ["date-time", "2026-03-05T14:30:00.Z"],
    ["date-time", "2026-03-05T14:30:00.1234567890Z"],
    ["date-time", "2026-03-05T14:30:00"],
    ["date-time", "226-03-05T14:30:00Z"],
    ["email", `${"a".repeat(60)}@${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(60)}.example.com`],
  ])("of format %s, %s is rejected", (format, written) => {
    expect(answerProblem(asked("text", { format }), { questionId: "q", values: [written] })).toBeDefined();
  });
});

describe("answers to all questions", () => {
  const { questions } = anAsk();
  const { answers } = anOutcome();

  test("are invalid if one answers no question, or the same one again, in addition to each one's own problems", () => {
    const other = { questionId: "q_other", values: ["x"] };
    const [first] = answers;
    if (first === undefined) throw new Error("There is no answer.");
    expect(checkAnswers(questions, [...answers, other, { ...first, values: [] }])).toStrictEqual({
      ok: false,
      issues: [
        { questionId: "q_other", code: "unknown_question", message: "No question of this session has this id." },
        { questionId: "q_text", code: "answered_twice", message: "This question is answered twice." },
        { questionId: "q_text", code: "required", message: "An answer is required." },
      ],
    });
  });

  test("are in the questions' order, and share no list with the input", () => {
    const checked = checkAnswers(questions, [...answers].reverse());
    expect(checked).toStrictEqual({ ok: true, answers });
    if (checked.ok) for (const [index, { values }] of checked.answers.entries()) expect(values).not.toBe(answers[index]?.values);
  });
});
