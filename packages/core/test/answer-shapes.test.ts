import {
  type Answer,
  type AnswerSet,
  answersAsClaudeCode,
  answersAsCodex,
  answersAsGeminiCli,
  answersAsOpenCode,
  answersAsVsCode,
  answersFromClaudeCode,
  answersFromCodex,
  answersFromGeminiCli,
  answersFromOpenCode,
  answersFromVsCode,
  checkAnswers,
  parseAsk,
  type Question,
} from "@askbox/core";
import { seededIds } from "@askbox/core/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "./support.ts";

const questionsOf = (...questions: Record<string, unknown>[]) => parseAsk({ questions }, { ids: seededIds() }).questions;

const shapes: [
  tool: string,
  there: (questions: Question[], set: AnswerSet) => unknown,
  back: (questions: Question[], given: never) => AnswerSet,
][] = [
  ["Claude Code's AskUserQuestion", answersAsClaudeCode, answersFromClaudeCode],
  ["OpenCode's question", answersAsOpenCode, answersFromOpenCode],
  ["Gemini CLI's ask_user", answersAsGeminiCli, answersFromGeminiCli],
  ["Codex's request_user_input", answersAsCodex, answersFromCodex],
  ["VS Code's vscode_askQuestions", answersAsVsCode, answersFromVsCode],
];

/** Texts that are likely to be taken for one another: commas, equal texts, keys of every object, what JSON fallbacks look like. */
const awkward = fc.oneof(
  fc.constantFrom(
    "A",
    "B",
    "A, B",
    "Yes",
    "no",
    "__proto__",
    "constructor",
    " (2)",
    "A (2)",
    '{"values":["A"]}',
    '{"values":[],"customText":"A"}',
  ),
  fc.string({ minLength: 1, maxLength: 12 }).filter((text) => text.trim() !== ""),
);
const options = fc.uniqueArray(fc.record({ label: awkward, value: awkward }), {
  minLength: 1,
  maxLength: 4,
  selector: ({ value }) => value,
});
const question = fc.oneof(
  fc.record({ question: awkward, header: awkward, required: fc.constant(false) }),
  fc.record({ question: awkward, type: fc.constant("confirm"), required: fc.constant(false) }),
  fc.record({ question: awkward, type: fc.constantFrom("select", "multi-select"), options, required: fc.constant(false) }),
);

const note = fc.option(awkward, { nil: undefined });

function answerTo(asked: Question): fc.Arbitrary<Answer> {
  const given = (values: fc.Arbitrary<string[]>, customText: fc.Arbitrary<string | undefined>) =>
    fc.record({ values, customText, note }).map((answer): Answer => {
      const { values: taken, customText: own, note: remark } = answer;
      return {
        questionId: asked.id,
        values: taken,
        ...(own === undefined ? {} : { customText: own }),
        ...(remark === undefined ? {} : { note: remark }),
      };
    });
  if (!("options" in asked)) {
    const value = asked.type === "confirm" ? fc.constantFrom("yes", "no") : awkward;
    return given(fc.array(value, { maxLength: 1 }), fc.constant(undefined));
  }
  const values = asked.options.map(({ value }) => value);
  if (asked.type === "multi-select") return given(fc.shuffledSubarray(values), fc.option(awkward, { nil: undefined }));
  return fc.oneof(given(fc.constantFrom(...values.map((value) => [value])), fc.constant(undefined)), given(fc.constant([]), awkward));
}

const asked = fc
  .array(question, { minLength: 1, maxLength: 4 })
  .map((questions) => questionsOf(...questions))
  .chain((questions) =>
    fc.record({
      questions: fc.constant(questions),
      answers: fc.tuple(...questions.map(answerTo)),
      comment: note,
    }),
  );

describe.each(shapes)("answers in the shape of %s", (_tool, there, back) => {
  test("come back as they were, whatever was asked and answered", () => {
    fc.assert(
      fc.property(asked, ({ questions, answers, comment }) => {
        const set = { answers, ...(comment === undefined ? {} : { comment }) };
        expect(checkAnswers(questions, answers).ok).toBe(true);
        const carried = JSON.parse(JSON.stringify(there(questions, set)));
        expect(back(questions, carried as never)).toEqual(set);
      }),
      { numRuns: runs(1_000) },
    );
  });
});

describe("the shapes themselves", () => {
  const questions = () =>
    questionsOf(
      {
        id: "look",
        question: "Which look?",
        header: "Look",
        options: [
          { label: "Plain", description: "as it is", preview: "<p>" },
          { label: "Fancy", value: "f" },
        ],
      },
      { id: "parts", question: "Which parts?", header: "Parts", multiSelect: true, options: ["Head", "Body", "Foot"] },
      { id: "name", question: "What name?" },
      { id: "sure", question: "Sure?", type: "yesno" },
    );
  const set: AnswerSet = {
    answers: [
      { questionId: "look", values: ["Plain"], note: "for now" },
      { questionId: "parts", values: ["Head", "Foot"], customText: "and a tail" },
      { questionId: "name", values: [] },
      { questionId: "sure", values: ["yes"] },
    ],
    comment: "Be quick.",
  };

  test("Claude Code: by question text, choices with commas between, notes and preview as annotations, the comment as response", () => {
    expect(answersAsClaudeCode(questions(), set)).toEqual({
      answers: { "Which look?": "Plain", "Which parts?": "Head, Foot, and a tail", "Sure?": "Yes" },
      annotations: { "Which look?": { preview: "<p>", notes: "for now" } },
      response: "Be quick.",
    });
  });

  test("Claude Code: questions with equal texts keep an answer each", () => {
    const twice = questionsOf({ id: "a", question: "Why?" }, { id: "b", question: "Why?" }, { id: "c", question: "Why? (2)" });
    const answers = ["x", "y", "z"].map((value, index) => ({ questionId: twice[index]?.id ?? "", values: [value] }));
    expect(answersAsClaudeCode(twice, { answers })).toEqual({ answers: { "Why?": "x", "Why? (3)": "y", "Why? (2)": "z" } });
  });

  test("Claude Code: a label that is chosen, and a text that is none, are told apart", () => {
    const read = answersFromClaudeCode(questions(), { answers: { "Which look?": "Fancy", "Which parts?": "Body, none of it really" } });
    expect(read.answers.slice(0, 2)).toEqual([
      { questionId: "look", values: ["f"] },
      { questionId: "parts", values: ["Body"], customText: "none of it really" },
    ]);
  });

  test("OpenCode: a list for each question", () => {
    expect(answersAsOpenCode(questions(), set)).toEqual({
      answers: [["Plain"], ["Head", "Foot", "and a tail"], [], ["Yes"]],
      notes: ["for now", null, null, null],
      comment: "Be quick.",
    });
  });

  test("Gemini CLI: by index", () => {
    expect(answersAsGeminiCli(questions(), set)).toMatchObject({ answers: { 0: "Plain", 1: "Head, Foot, and a tail", 3: "Yes" } });
  });

  test("Codex: by id", () => {
    expect(answersAsCodex(questions(), set).answers).toEqual({
      look: { answers: ["Plain"], note: "for now" },
      parts: { answers: ["Head", "Foot", "and a tail"] },
      name: { answers: [] },
      sure: { answers: ["Yes"] },
    });
  });

  test("VS Code: by header, with choices, own text and skipping apart", () => {
    expect(answersAsVsCode(questions(), set).answers).toEqual({
      Look: { selected: ["Plain"], freeText: null, skipped: false, note: "for now" },
      Parts: { selected: ["Head", "Foot"], freeText: "and a tail", skipped: false },
      "What name?": { selected: [], freeText: null, skipped: true },
      "Sure?": { selected: ["Yes"], freeText: null, skipped: false },
    });
  });
});
