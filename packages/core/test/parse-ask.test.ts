import { AskboxError, parseAsk } from "@askbox/core";
import { refusals } from "@askbox/core/machine";
import { questionTypes } from "@askbox/core/questions";
import { seededIds } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";

const parse = (input: unknown, defaultTimeout?: number) => parseAsk(input, { ids: seededIds(), defaultTimeout });
const withQuestion = (question: Record<string, unknown>) => ({ questions: [question] });

const refusal = (input: unknown) => thrownBy(() => parse(input)).message;

function thrownBy(read: () => unknown): AskboxError {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(AskboxError);
    expect(error).toHaveProperty("code", "VALIDATION");
    return error as AskboxError;
  }
  throw new Error("It was accepted.");
}

/** Returns one after the other. */
function turning(...ids: string[]): () => string {
  return () => ids.shift() ?? "none_left";
}

describe("parsing an ask", () => {
  test("applies the contract's defaults", () => {
    const ask = parse(withQuestion({ question: "Any additional requirements?" }));
    expect(ask).toEqual({
      questions: [{ id: expect.stringMatching(/^q_[0-9a-z]{6}$/), type: "text", question: "Any additional requirements?", required: true }],
      timeout: 300_000,
    });
  });

  test("uses the configured default for a missing timeout, never for a given one", () => {
    expect(parse(withQuestion({ question: "?" }), 60_000).timeout).toBe(60_000);
    expect(parse({ ...withQuestion({ question: "?" }), timeout: 10_000 }, 60_000).timeout).toBe(10_000);
  });

  test("accepts options as strings and as objects, with the label as default value", () => {
    const [question] = parse(
      withQuestion({
        question: "?",
        type: "select",
        options: ["React", { label: "Vue", value: "vue", description: "progressive", recommended: true, preview: "`<template>`" }],
        allowOther: false,
        header: "UI",
      }),
    ).questions;
    expect(question).toMatchObject({
      header: "UI",
      allowOther: false,
      options: [
        { label: "React", value: "React" },
        { label: "Vue", value: "vue", description: "progressive", recommended: true, preview: "`<template>`" },
      ],
    });
  });

  test("accepts questions as a JSON string", () => {
    expect(parse({ questions: JSON.stringify([{ id: "a", question: "?" }]) }).questions[0]?.id).toBe("a");
  });

  test("strips unknown fields", () => {
    const ask = parse({ questions: [{ question: "?", colour: "red" }], wait_for_previous: true });
    expect(JSON.stringify(ask)).not.toMatch(/colour|wait_for_previous/);
  });

  test("omits fields of other question types", () => {
    const [text, date] = parse({
      questions: [
        { question: "?", type: "text", options: ["A", "B"], min: 1, allowOther: false },
        { question: "?", type: "date", minLength: 3, unit: "GB" },
      ],
    }).questions;
    expect(text).toEqual({ id: expect.any(String), type: "text", question: "?", required: true });
    expect(date).toEqual({ id: expect.any(String), type: "date", question: "?", required: true });
  });

  test("never gives two questions the same id, even if a generated one is taken", () => {
    const [clash] = parse(withQuestion({ question: "?" })).questions;
    const ask = parse({ questions: [{ question: "a" }, { id: clash?.id, question: "b" }] });
    expect(new Set(ask.questions.map(({ id }) => id)).size).toBe(2);
  });

  test.each<[string, unknown, string]>([
    ["no questions", { questions: [] }, "questions array must have at least 1 item"],
    ["an empty object", {}, "questions array must have at least 1 item"],
    ["eleven questions", { questions: Array.from({ length: 11 }, () => ({ question: "?" })) }, "questions array exceeds maximum of 10"],
    ["a select without options", withQuestion({ question: "?", type: "select" }), "Options required for select/multi-select types"],
    [
      "a multi-select with none",
      withQuestion({ question: "?", type: "multi-select", options: [] }),
      "Options required for select/multi-select types",
    ],
    ["an empty question", withQuestion({ question: "" }), "question text is required"],
    ["a blank question", withQuestion({ question: " \n\t" }), "question text is required"],
    ["a question without its text", withQuestion({ type: "text" }), "question text is required"],
    ["nothing", undefined, "the arguments must be an object with a questions array"],
    ["null", null, "the arguments must be an object with a questions array"],
    ["questions that are no array", { questions: 7 }, "questions must be an array of 1 to 10 questions"],
    ["questions as other text", { questions: "what?" }, "questions must be an array of 1 to 10 questions"],
    [
      "a question that is too long",
      withQuestion({ question: "x".repeat(1_001) }),
      "questions[0].question must be at most 1000 characters long",
    ],
    ...(
      [
        ["id", 200, "x"],
        ["header", 20_000, "x"],
        ["placeholder", 20_000, "x"],
        ["suggestion", 20_000, "x"],
      ] as const
    ).map(([field, max, letter]): [string, unknown, string] => [
      `a ${field} that is too long`,
      withQuestion({ question: "?", [field]: letter.repeat(max + 1) }),
      `questions[0].${field} must be at most ${max} characters long`,
    ]),
    ...(
      [
        ["label", 20_000],
        ["value", 20_000],
        ["description", 20_000],
        ["preview", 1_048_576],
      ] as const
    ).map(([field, max]): [string, unknown, string] => [
      `an option whose ${field} is too long`,
      withQuestion({ question: "?", type: "select", options: ["A", { label: "B", [field]: "x".repeat(max + 1) }] }),
      `questions[0].options[1].${field} must be at most ${max} characters long`,
    ]),
    [
      "an option as text that is too long",
      withQuestion({ question: "?", type: "select", options: ["x".repeat(20_001)] }),
      "questions[0].options[0] must be at most 20000 characters long",
    ],
    [
      "more options than anybody reads",
      withQuestion({ question: "?", type: "select", options: Array.from({ length: 1_001 }, (_, index) => `o${index}`) }),
      "questions[0].options must be at most 1000 items long",
    ],
    [
      "more values than are read at all",
      withQuestion({ question: "?", type: "select", options: Array.from({ length: 80_000 }, () => 1) }),
      "the ask has too many values; ask with fewer options",
    ],
    [
      "a title that is too long",
      { ...withQuestion({ question: "?" }), title: "x".repeat(101) },
      "title must be at most 100 characters long",
    ],
    [
      "a timeout that is too short",
      { ...withQuestion({ question: "?" }), timeout: 9_999 },
      "timeout must be a whole number of milliseconds from 10000 to 1800000",
    ],
    [
      "a timeout that is too long",
      { ...withQuestion({ question: "?" }), timeout: 1_800_001 },
      "timeout must be a whole number of milliseconds from 10000 to 1800000",
    ],
    [
      "a timeout with a fraction",
      { ...withQuestion({ question: "?" }), timeout: 10_000.5 },
      "timeout must be a whole number of milliseconds from 10000 to 1800000",
    ],
    [
      "an unknown type",
      withQuestion({ question: "?", type: "slider" }),
      `questions[0].type must be one of ${questionTypes.map((type) => `"${type}"`).join(", ")}`,
    ],
    ["an id that is no string", withQuestion({ question: "?", id: 1 }), "questions[0].id must be a string"],
    ["a required that is no boolean", withQuestion({ question: "?", required: "yes" }), "questions[0].required must be a boolean"],
    [
      "an option that is a number",
      withQuestion({ question: "?", type: "select", options: [1] }),
      "questions[0].options[0] must be a string or an object with a label",
    ],
    [
      "an option offered twice",
      withQuestion({ question: "?", type: "select", options: ["a", { label: "b", value: "a" }] }),
      'questions[0] offers the option "a" twice',
    ],
    [
      "an id used twice",
      {
        questions: [
          { id: "a", question: "?" },
          { id: "a", question: "!" },
        ],
      },
      'questions[1].id "a" is used twice; each question needs its own',
    ],
    [
      "an id that no record can have",
      withQuestion({ question: "?", id: "__proto__" }),
      'questions[0].id "__proto__" is not allowed; use another',
    ],
  ])("rejects %s with one sentence", (_what, input, sentence) => {
    expect(refusal(input)).toBe(sentence);
  });

  test("distinguishes a missing text from one that is not a string", () => {
    expect(refusal(withQuestion({ question: 7 }))).toBe("questions[0].question must be a string");
    expect(refusal({ questions: [{ question: "?" }, "?", null] })).toBe("questions[2] must be an object");
  });

  test("omits a missing title, and generates ids only for questions without one", () => {
    const { questions, ...ask } = parse({ questions: [{ id: "a", question: "?" }, { question: "?" }] });
    expect(ask).toStrictEqual({ timeout: 300_000 });
    expect(questions[0]?.id).toBe("a");
  });

  test("generates no id twice, nor one used by a later question", () => {
    const ids = { ...seededIds(), question: turning("q_aaaaaa", "q_bbbbbb", "q_aaaaaa", "q_bbbbbb", "q_cccccc") };
    const ask = parseAsk({ questions: [{ question: "1" }, { question: "2" }, { id: "q_aaaaaa", question: "3" }] }, { ids });
    expect(ask.questions.map(({ id }) => id)).toEqual(["q_bbbbbb", "q_cccccc", "q_aaaaaa"]);
  });

  test("accepts the maximum lengths of the contract, and up to 20,000 characters if it has no limit", () => {
    const long = "😀".repeat(10_000);
    const ask = parse({
      title: "t".repeat(100),
      questions: [
        { question: "q".repeat(1_000), type: "select", header: long, placeholder: long, options: [{ label: long, description: long }] },
      ],
    });
    expect(ask.questions[0]?.header).toBe(long);
  });

  test("keeps control characters, escape sequences and bidi controls as sent", () => {
    const hostile = "a\u0000\u001b[31m\u0007\u202e\u2066b";
    expect(parse({ title: hostile, questions: [{ question: hostile, header: hostile }] })).toMatchObject({
      title: hostile,
      questions: [{ question: hostile, header: hostile }],
    });
  });
});

describe("parsing an ask of a tool that accepts long questions", () => {
  const parseLong = (input: unknown) => parseAsk(input, { ids: seededIds(), longQuestions: true });

  test("keeps them in full, up to 20,000 characters", () => {
    const long = "x".repeat(20_000);
    expect(parseLong({ ...withQuestion({ question: long, header: "h" }), title: "t" })).toMatchObject({
      title: "t",
      questions: [{ question: long, header: "h" }],
    });
    const { message } = thrownBy(() => parseLong({ questions: ["?", `${long}x`] }));
    expect(message).toBe("questions[1].question must be at most 20000 characters long");
  });

  test("rejects invalid ones with the contract's own messages", () => {
    for (const [input, sentence] of [
      [{}, refusals.noQuestions],
      ["text", "the arguments must be an object with a questions array"],
      [withQuestion({ question: 7 }), "questions[0].question must be a string"],
      [withQuestion({}), refusals.questionRequired],
    ] as const) {
      expect(thrownBy(() => parseLong(input)).message).toBe(sentence);
    }
  });
});

describe("a message beside a question", () => {
  test("is placed below it, and omitted if it is blank or not a string", () => {
    const textOf = (message: unknown) => parse(withQuestion({ question: "Which?", message })).questions[0]?.question;
    expect(textOf("It matters.")).toBe("Which?\n\nIt matters.");
    expect(textOf(" \n")).toBe("Which?");
    expect(textOf("")).toBe("Which?");
    expect(textOf(7)).toBe("Which?");
  });

  test("is kept in full if both together have at most 20,000 characters", () => {
    const textOf = (length: number) => parse(withQuestion({ question: "Which?", message: "m".repeat(length) })).questions[0]?.question;
    expect(textOf(20_000 - 8)).toBe(`Which?\n\n${"m".repeat(20_000 - 8)}`);
    expect(textOf(20_000 - 7)).toBe(`Which?\n\n${"m".repeat(20_000 - 9)}…`);
  });
});
