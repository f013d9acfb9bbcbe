import type { Answer } from "@askbox/core";
import {
  answerText,
  expectedAnswer,
  isTyped,
  offeredOptions,
  type QuestionTypeName,
  questionFields,
  questionTypes,
  tidyAnswer,
  type UnknownQuestion,
} from "@askbox/core/questions";
import { describe, expect, test } from "vitest";
import { asked, refusalOf } from "./support.ts";

const options = ["a", { label: "Bee", value: "b" }];

test.each<[QuestionTypeName, Record<string, unknown>, string]>([
  ["text", {}, "text"],
  ["text", { minLength: 0 }, "text"],
  ["text", { minLength: 1 }, "text of at least 1 character"],
  ["text", { minLength: 2 }, "text of at least 2 characters"],
  ["text", { maxLength: 1 }, "text of at most 1 character"],
  ["text", { minLength: 2, maxLength: 2 }, "text of 2 characters"],
  ["text", { minLength: 2, maxLength: 5 }, "text of 2 to 5 characters"],
  ["text", { format: "email" }, "an email address"],
  ["text", { format: "url", maxLength: 50 }, "a web address of at most 50 characters"],
  ["text", { format: "date-time" }, "a date and time such as 2026-03-05T14:30:00Z"],
  ["select", { options }, "choose one"],
  ["multi-select", { options }, "choose any"],
  ["multi-select", { options, maxChoices: 2 }, "choose up to 2"],
  ["multi-select", { options, minChoices: 1 }, "choose at least 1"],
  ["multi-select", { options, minChoices: 2, maxChoices: 2 }, "choose 2"],
  ["multi-select", { options, minChoices: 1, maxChoices: 2 }, "choose 1 to 2"],
  ["multi-select", { options, minChoices: 0, maxChoices: 2 }, "choose up to 2"],
  ["confirm", {}, "yes or no"],
  ["number", {}, "a number"],
  ["number", { min: 1 }, "a number from 1"],
  ["number", { max: 9, integer: true }, "a whole number up to 9"],
  ["number", { min: 1, max: 9, unit: "GB" }, "a number from 1 to 9, in GB"],
  ["date", {}, "a date, YYYY-MM-DD"],
  ["date", { min: "2026-01-01" }, "a date, YYYY-MM-DD from 2026-01-01"],
  ["rating", { max: 3, minLabel: "poor" }, "a rating from 1 (poor) to 3"],
])("%s with %j describes its expected answer: %s", (type, fields, words) => {
  expect(expectedAnswer(asked(type, fields))).toBe(words);
});

test.each<[QuestionTypeName, Record<string, unknown>, Partial<Answer>, string]>([
  ["text", {}, { values: ["as it is "] }, "as it is "],
  ["text", {}, {}, ""],
  ["select", { options }, { values: ["b"] }, "Bee"],
  ["select", { options }, { values: [], customText: "own" }, "own"],
  ["select", { options }, { values: ["gone"] }, "gone"],
  ["multi-select", { options }, { values: ["b", "a"], customText: "own" }, "Bee, a, own"],
  ["confirm", {}, { values: ["yes"] }, "Yes"],
  ["confirm", {}, { values: ["no"] }, "No"],
  ["confirm", {}, {}, ""],
  ["number", { unit: "GB" }, { values: ["4"] }, "4 GB"],
  ["number", { unit: "GB" }, {}, ""],
  ["number", {}, { values: ["4"] }, "4"],
  ["date", {}, { values: ["2026-01-01"] }, "2026-01-01"],
  ["rating", {}, { values: ["4"] }, "4"],
  [
    "text",
    {},
    { values: ["The new one"], files: [{ name: "shot.png", mimeType: "image/png", size: 1, sha256: "" }] },
    "The new one [shot.png]",
  ],
  ["text", {}, { files: [{ name: "shot.png", mimeType: "image/png", size: 1, sha256: "" }] }, "[shot.png]"],
])("an answer to %s with %j, %j, is displayed as %j", (type, fields, answer, words) => {
  expect(answerText(asked(type, fields), { questionId: "q", values: [], ...answer })).toBe(words);
});

describe("the description of a question", () => {
  test.each<[QuestionTypeName, Record<string, unknown>, Record<string, unknown>]>([
    ["text", {}, {}],
    [
      "text",
      { header: "h", placeholder: "p", format: "email", minLength: 1, maxLength: 50, suggestion: " ada@example.com " },
      { header: "h", placeholder: "p", format: "email", minLength: 1, maxLength: 50, suggestion: "ada@example.com" },
    ],
    ["text", { minLength: 0, suggestion: " as it is " }, { suggestion: " as it is " }],
    ["text", { maxLength: 2, minLength: 2, suggestion: "ab" }, { minLength: 2, maxLength: 2, suggestion: "ab" }],
    ["text", { required: false }, { required: false }],
    [
      "select",
      { options, placeholder: "p" },
      {
        options: [
          { label: "a", value: "a" },
          { label: "Bee", value: "b" },
        ],
        allowOther: true,
        placeholder: "p",
      },
    ],
    [
      "multi-select",
      { options: ["a"], allowOther: false, minChoices: 1, maxChoices: 1 },
      { options: [{ label: "a", value: "a" }], allowOther: false, minChoices: 1, maxChoices: 1 },
    ],
    ["multi-select", { options: ["a"], minChoices: 0 }, { options: [{ label: "a", value: "a" }], allowOther: true }],
    ["multi-select", { options: ["a"], minChoices: 2 }, { options: [{ label: "a", value: "a" }], allowOther: true, minChoices: 2 }],
    ["confirm", {}, {}],
    ["confirm", { suggestion: true }, { suggestion: "yes" }],
    ["confirm", { suggestion: "no" }, { suggestion: "no" }],
    [
      "number",
      { placeholder: "p", min: "1.50", max: 2, integer: true, unit: "GB", suggestion: " 2 " },
      { placeholder: "p", min: 1.5, max: 2, integer: true, unit: "GB", suggestion: "2" },
    ],
    ["number", { min: 2, max: 2, integer: true }, { min: 2, max: 2, integer: true }],
    ["number", { min: 1.2, max: 1.8, integer: false }, { min: 1.2, max: 1.8 }],
    ["number", { min: 1.2, integer: true }, { min: 1.2, integer: true }],
    ["number", { max: 1.2, integer: true }, { max: 1.2, integer: true }],
    [
      "date",
      { min: "2026-01-01", max: "2026-12-31", suggestion: " 2026-06-01 " },
      { min: "2026-01-01", max: "2026-12-31", suggestion: "2026-06-01" },
    ],
    ["date", { suggestion: " " }, {}],
    ["rating", {}, { max: 5 }],
    [
      "rating",
      { max: " 2 ", minLabel: "poor", maxLabel: "great", suggestion: " 2 " },
      { max: 2, minLabel: "poor", maxLabel: "great", suggestion: "2" },
    ],
  ])("as %s with %j keeps only those fields", (type, sent, kept) => {
    expect(asked(type, sent)).toStrictEqual({ id: "q", question: "?", type, required: true, ...kept });
  });

  test.each<[QuestionTypeName, Record<string, unknown>, string]>([
    ["multi-select", { options: ["a"], minChoices: 3 }, "questions[0] wants at least 3 choices and offers 1 option and Other"],
    ["multi-select", { options: ["a"], minChoices: 2, allowOther: false }, "questions[0] wants at least 2 choices and offers 1 option"],
    ["date", { max: "soon" }, 'questions[0] has a max that is not a date YYYY-MM-DD: "soon"'],
    ["number", { max: "soon" }, 'questions[0] has a max that is not a plain number: "soon"'],
    ["number", { min: 1.2, max: 1.8, integer: true }, "questions[0] has no whole number from its min of 1.2 to its max of 1.8"],
    ["rating", { max: "" }, 'questions[0] has a max that is not a whole number from 2 to 10: ""'],
    ["rating", { max: "many" }, 'questions[0] has a max that is not a whole number from 2 to 10: "many"'],
    ["rating", { suggestion: true }, "questions[0].suggestion must be a number"],
    [
      "text",
      { maxLength: 3, suggestion: "x".repeat(61) },
      `questions[0] suggests "${"x".repeat(57)}…", which it would not accept: The text must be at most 3 characters long; it has 61.`,
    ],
    ["select", { options: ["x".repeat(60), "x".repeat(60)] }, `questions[0] offers the option "${"x".repeat(60)}" twice`],
    ["confirm", { suggestion: 1 }, 'questions[0].suggestion must be "yes" or "no"'],
  ])("as %s with %j is rejected with a sentence", (type, fields, sentence) => {
    expect(refusalOf(type, fields)).toBe(sentence);
  });
});

describe("the offered options", () => {
  test("are yes and no for a confirmation, with the agent's recommendation", () => {
    const yes = { value: "yes", label: "Yes", shortcut: "yes" };
    const no = { value: "no", label: "No", shortcut: "no" };
    expect(offeredOptions(asked("confirm"))).toStrictEqual([yes, no]);
    expect(offeredOptions(asked("confirm", { suggestion: "yes" }))).toStrictEqual([{ ...yes, recommended: true }, no]);
    expect(offeredOptions(asked("confirm", { suggestion: "no" }))).toStrictEqual([yes, { ...no, recommended: true }]);
  });

  test("are the options of a choice, and undefined for a typed answer", () => {
    const offered = [
      { label: "a", value: "a" },
      { label: "Bee", value: "b" },
    ];
    for (const type of ["select", "multi-select"] as const) expect(offeredOptions(asked(type, { options }))).toStrictEqual(offered);
    for (const type of ["text", "number", "date"] as const) {
      expect([isTyped(asked(type)), offeredOptions(asked(type))]).toEqual([true, []]);
    }
    for (const type of ["confirm", "rating"] as const) expect(isTyped(asked(type))).toBe(false);
  });
});

describe("the normalised form of an answer", () => {
  const tidied = (type: QuestionTypeName, fields: Record<string, unknown>, ...values: string[]) =>
    tidyAnswer(asked(type, fields), { questionId: "q", values, note: "n" });

  test.each<[QuestionTypeName, Record<string, unknown>, string[], string[]]>([
    ["text", {}, [" a "], [" a "]],
    ["text", { format: "url" }, [" a "], ["a"]],
    ["text", { format: "url" }, [" a ", " b "], [" a ", " b "]],
    ["text", { format: "url" }, [], []],
    ["number", {}, [" 1.50 "], ["1.5"]],
    ["number", {}, [" five "], [" five "]],
    ["date", {}, [" 2026-01-01 "], ["2026-01-01"]],
    ["rating", {}, [" 1 "], ["1"]],
    ["select", { options }, [" a "], [" a "]],
  ])("to %s with %j: %j is %j", (type, fields, written, kept) => {
    expect(tidied(type, fields, ...written)).toStrictEqual({ questionId: "q", values: kept, note: "n" });
  });
});

test("the types start with the contract's four, and each describes what may be sent", () => {
  expect(questionTypes.slice(0, 4)).toEqual(["text", "select", "multi-select", "confirm"]);
  const base = ["id", "question", "required", "header", "images"];
  expect(Object.keys(questionFields)).toEqual(questionTypes);
  expect(questionFields).toMatchObject({
    text: [...base, "type", "placeholder", "format", "minLength", "maxLength", "suggestion"],
    select: [...base, "options", "allowOther", "placeholder", "type"],
    "multi-select": [...base, "options", "allowOther", "placeholder", "type", "minChoices", "maxChoices"],
    confirm: [...base, "type", "suggestion"],
    number: [...base, "type", "placeholder", "min", "max", "integer", "unit", "suggestion"],
    date: [...base, "type", "min", "max", "suggestion"],
    rating: [...base, "type", "max", "minLabel", "maxLabel", "suggestion"],
  });
  expect([questionTypes, questionFields, questionFields.text].every(Object.isFrozen)).toBe(true);
});

describe("a question of an unknown type", () => {
  const question: UnknownQuestion = { id: "q", type: "unknown", question: "?", required: true, original: { type: "hologram" } };

  test("says so, and shows its answer as far as possible", () => {
    expect(expectedAnswer(question)).toBe("a type of question that this askbox does not know");
    expect(answerText(question, { questionId: "q", values: ["a", "b"], customText: "c" })).toBe("a, b, c");
    expect(answerText(question, { questionId: "q", values: ["a"] })).toBe("a");
    expect(answerText(question, { questionId: "q", values: [] })).toBe("");
  });
});
