import { type Answer, type AnswerSet, checkAnswers, parseAsk, type Question } from "@askbox/core";
import {
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
} from "@askbox/core/shapes";
import { seededIds } from "@askbox/core/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "./support.ts";

const questionsOf = (...questions: Record<string, unknown>[]) => parseAsk({ questions }, { ids: seededIds() }).questions;

const shapes: [
  tool: string,
  there: (questions: Question[], set: AnswerSet) => unknown,
  back: (questions: Question[], carried: never) => AnswerSet,
][] = [
  ["Claude Code's AskUserQuestion", answersAsClaudeCode, answersFromClaudeCode],
  ["OpenCode's question", answersAsOpenCode, answersFromOpenCode],
  ["Gemini CLI's ask_user", answersAsGeminiCli, answersFromGeminiCli],
  ["Codex's request_user_input", answersAsCodex, answersFromCodex],
  ["VS Code's vscode_askQuestions", answersAsVsCode, answersFromVsCode],
];

/** Texts that are easily confused: commas, equal texts, keys of every object, and text that looks like a JSON fallback. */
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
  const answerOf = (values: fc.Arbitrary<string[]>, customText: fc.Arbitrary<string | undefined>) =>
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
    return answerOf(fc.array(value, { maxLength: 1 }), fc.constant(undefined));
  }
  const values = asked.options.map(({ value }) => value);
  if (asked.type === "multi-select") return answerOf(fc.shuffledSubarray(values), fc.option(awkward, { nil: undefined }));
  return fc.oneof(answerOf(fc.constantFrom(...values.map((value) => [value])), fc.constant(undefined)), answerOf(fc.constant([]), awkward));
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

describe.each(shapes)("answers in the %s shape", (_tool, there, back) => {
  test("survive a round trip, whatever was asked and answered", () => {
    fc.assert(
      fc.property(asked, ({ questions, answers, comment }) => {
        const set = { answers, ...(comment === undefined ? {} : { comment }) };
        expect(checkAnswers(questions, answers).ok).toBe(true);
        const carried = JSON.parse(JSON.stringify(there(questions, set)));
        expect(back(questions, carried as never)).toStrictEqual(set);
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

  test("Claude Code: by question text, choices separated by commas, notes and preview as annotations, the comment as response", () => {
    expect(answersAsClaudeCode(questions(), set)).toStrictEqual({
      answers: { "Which look?": "Plain", "Which parts?": "Head, Foot, and a tail", "Sure?": "Yes" },
      annotations: { "Which look?": { preview: "<p>", notes: "for now" } },
      response: "Be quick.",
    });
  });

  test("Claude Code: questions with equal texts each keep their answer", () => {
    const twice = questionsOf({ id: "a", question: "Why?" }, { id: "b", question: "Why?" }, { id: "c", question: "Why? (2)" });
    const answers = ["x", "y", "z"].map((value, index) => ({ questionId: twice[index]?.id ?? "", values: [value] }));
    expect(answersAsClaudeCode(twice, { answers })).toStrictEqual({ answers: { "Why?": "x", "Why? (3)": "y", "Why? (2)": "z" } });
  });

  test("Claude Code: a selected label is distinguished from typed text", () => {
    const read = answersFromClaudeCode(questions(), { answers: { "Which look?": "Fancy", "Which parts?": "Body, none of it really" } });
    expect(read.answers.slice(0, 2)).toStrictEqual([
      { questionId: "look", values: ["f"] },
      { questionId: "parts", values: ["Body"], customText: "none of it really" },
    ]);
  });

  test("OpenCode: a list per question", () => {
    expect(answersAsOpenCode(questions(), set)).toStrictEqual({
      answers: [["Plain"], ["Head", "Foot", "and a tail"], [], ["Yes"]],
      notes: ["for now", null, null, null],
      comment: "Be quick.",
    });
  });

  test("Gemini CLI: by index", () => {
    expect(answersAsGeminiCli(questions(), set)).toMatchObject({ answers: { 0: "Plain", 1: "Head, Foot, and a tail", 3: "Yes" } });
  });

  test("Codex: by id", () => {
    expect(answersAsCodex(questions(), set).answers).toStrictEqual({
      look: { answers: ["Plain"], note: "for now" },
      parts: { answers: ["Head", "Foot", "and a tail"] },
      name: { answers: [] },
      sure: { answers: ["Yes"] },
    });
  });

  test("VS Code: by header, with choices, free text and skipped questions separate", () => {
    expect(answersAsVsCode(questions(), set).answers).toStrictEqual({
      Look: { selected: ["Plain"], freeText: null, skipped: false, note: "for now" },
      Parts: { selected: ["Head", "Foot"], freeText: "and a tail", skipped: false },
      "What name?": { selected: [], freeText: null, skipped: true },
      "Sure?": { selected: ["Yes"], freeText: null, skipped: false },
    });
  });

  test("notes and a comment are omitted if there are none", () => {
    const plain: AnswerSet = { answers: set.answers.map(({ note: _, ...answer }) => answer) };
    expect(Object.keys(answersAsClaudeCode(questions(), { answers: plain.answers.slice(1) }))).toEqual(["answers"]);
    expect(Object.keys(answersAsOpenCode(questions(), plain))).toEqual(["answers"]);
    expect(Object.keys(answersAsGeminiCli(questions(), plain))).toEqual(["answers"]);
    expect(answersAsCodex(questions(), plain)).toStrictEqual({
      answers: {
        look: { answers: ["Plain"] },
        parts: { answers: ["Head", "Foot", "and a tail"] },
        name: { answers: [] },
        sure: { answers: ["Yes"] },
      },
    });
    expect(Object.keys(answersAsVsCode(questions(), plain))).toEqual(["answers"]);
    expect(answersAsVsCode(questions(), plain).answers["Look"]).not.toHaveProperty("note");
  });

  test("Claude Code: the preview is that of the only selected option", () => {
    const previewed = questionsOf({
      question: "Which?",
      multiSelect: true,
      options: [{ label: "A", preview: "<a>" }, { label: "B", preview: "<b>" }, "C"],
    });
    const annotated = (...values: string[]) =>
      answersAsClaudeCode(previewed, { answers: [{ questionId: previewed[0]?.id ?? "", values }] }).annotations;
    expect(annotated("B")).toStrictEqual({ "Which?": { preview: "<b>" } });
    for (const values of [[], ["C"], ["A", "B"], ["gone"]]) expect(annotated(...values)).toBeUndefined();
  });

  test("Gemini CLI and OpenCode: notes are by index, if there are any", () => {
    expect(answersAsGeminiCli(questions(), set)).toMatchObject({ notes: { 0: "for now" }, comment: "Be quick." });
    expect(answersAsOpenCode(questions(), { answers: set.answers.slice(1) })).not.toHaveProperty("notes");
  });

  const nothing: AnswerSet = { answers: ["look", "parts", "name", "sure"].map((questionId) => ({ questionId, values: [] })) };

  test("missing answers were skipped, in every shape", () => {
    expect(answersFromClaudeCode(questions(), { answers: {} })).toStrictEqual(nothing);
    expect(answersFromOpenCode(questions(), { answers: [] })).toStrictEqual(nothing);
    expect(answersFromGeminiCli(questions(), { answers: {} })).toStrictEqual(nothing);
    expect(answersFromCodex(questions(), { answers: {} })).toStrictEqual(nothing);
    expect(answersFromVsCode(questions(), { answers: {} })).toStrictEqual(nothing);
    const skipped = { Look: { selected: ["Plain"], freeText: null, skipped: true } };
    expect(answersFromVsCode(questions(), { answers: skipped })).toStrictEqual(nothing);
    expect(answersAsOpenCode(questions(), { answers: [] })).toStrictEqual({ answers: [[], [], [], []] });
  });

  test("text is read as yes or no in any spelling, and otherwise kept as it is", () => {
    const said = (...words: string[]) => answersFromOpenCode(questions(), { answers: [[], [], [], words] }).answers[3]?.values;
    expect([said(" YES "), said("no"), said("maybe"), said(" yes, sir")]).toEqual([["yes"], ["no"], ["maybe"], [" yes, sir"]]);
    expect(answersFromGeminiCli(questions(), { answers: { 3: "No" } }).answers[3]?.values).toEqual(["no"]);
    expect(answersAsOpenCode(questions(), { answers: [{ questionId: "sure", values: ["no"] }] }).answers[3]).toEqual(["No"]);
    expect(answersFromOpenCode(questions(), { answers: [[], [], ["Yes"], []] }).answers[2]?.values).toEqual(["Yes"]);
  });

  test("text after the first non-option is free text, and so is an option named twice", () => {
    const read = (...words: string[]) => answersFromOpenCode(questions(), { answers: [[], words, [], []] }).answers[1];
    expect(read("Head", "or so", "Foot")).toStrictEqual({ questionId: "parts", values: ["Head"], customText: "or so, Foot" });
    expect(read("Head", "Head")).toStrictEqual({ questionId: "parts", values: ["Head"], customText: "Head" });
    expect(read("Head", "Foot")).toStrictEqual({ questionId: "parts", values: ["Head", "Foot"] });
  });

  test("for a single choice, a sentence is an option or free text, including its commas", () => {
    const read = (sentence: string) => answersFromGeminiCli(questions(), { answers: { 0: sentence } }).answers[0];
    expect(read("Plain")).toStrictEqual({ questionId: "look", values: ["Plain"] });
    expect(read("Plain, Fancy")).toStrictEqual({ questionId: "look", values: [], customText: "Plain, Fancy" });
  });

  test("for several choices, the longest label is matched first, since a label may contain another one or a comma", () => {
    const list = questionsOf({ question: "Which?", multiSelect: true, options: ["A", "A, B", "C", { label: "", value: "empty" }] });
    const read = (sentence: string) => {
      const { questionId: _, ...fields } = answersFromGeminiCli(list, { answers: { 0: sentence } }).answers[0] ?? {
        questionId: "",
        values: [],
      };
      return fields;
    };
    expect(read("A, B, C")).toStrictEqual({ values: ["A, B", "C"] });
    expect(read("C, A")).toStrictEqual({ values: ["C", "A"] });
    expect(read("C, Ax")).toStrictEqual({ values: ["C"], customText: "Ax" });
    expect(read("C, C")).toStrictEqual({ values: ["C"], customText: "C" });
    expect(read("A, x, C")).toStrictEqual({ values: ["A"], customText: "x, C" });
  });

  test("options with the same label are distinguished by their values", () => {
    const twins = questionsOf({
      question: "Which?",
      options: [
        { label: "A", value: "one" },
        { label: "A", value: "two" },
        { label: "B", value: "three" },
      ],
    });
    const answers = (value: string) => ({ answers: [{ questionId: twins[0]?.id ?? "", values: [value] }] });
    expect(["one", "two", "three"].map((value) => answersAsOpenCode(twins, answers(value)).answers)).toEqual([
      [["one"]],
      [["two"]],
      [["B"]],
    ]);
    expect(answersFromOpenCode(twins, { answers: [["two"]] })).toStrictEqual(answers("two"));
    expect(answersFromOpenCode(twins, { answers: [["A"]] }).answers[0]).toMatchObject({ values: [], customText: "A" });
  });

  test("ambiguous answers are written as JSON, and only such JSON is read as JSON", () => {
    const own = { questionId: "look", values: [], customText: "Plain" };
    const [[said]] = answersAsOpenCode(questions(), { answers: [own] }).answers as [[string]];
    expect(said).toBe('{"values":[],"customText":"Plain"}');
    const read = (words: string) => answersFromOpenCode(questions(), { answers: [[words]] }).answers[0];
    expect(read(said)).toStrictEqual(own);
    expect(read('{"values":["Plain"]}')).toStrictEqual({ questionId: "look", values: ["Plain"] });
    for (const other of [
      '{"values":7}',
      '{"values":[7]}',
      '{"values":[],"more":1}',
      '{"values":[],"customText":7}',
      '{"values":[',
      'x{"values":[]}',
      '{"value":[]}',
      '["Plain"]',
    ]) {
      expect(read(other)).toStrictEqual({ questionId: "look", values: [], customText: other });
    }
  });

  test("VS Code: choices, their own text and free text form one answer; the typed text is its free text, otherwise the selection is", () => {
    const read = (key: string, fields: { selected: string[]; freeText: string | null }) => {
      const { answers } = answersFromVsCode(questions(), { answers: { [key]: { ...fields, skipped: false } } });
      return answers.find(({ values, customText }) => values.length > 0 || customText !== undefined);
    };
    expect(read("Parts", { selected: ["Head", "x"], freeText: "y" })).toStrictEqual({
      questionId: "parts",
      values: ["Head"],
      customText: "x, y",
    });
    expect(read("Parts", { selected: ["Head"], freeText: null })).toStrictEqual({ questionId: "parts", values: ["Head"] });
    expect(read("What name?", { selected: [], freeText: "Ada" })).toStrictEqual({ questionId: "name", values: ["Ada"] });
    expect(read("What name?", { selected: ["Ada"], freeText: null })).toStrictEqual({ questionId: "name", values: ["Ada"] });
    expect(read("Sure?", { selected: ["No"], freeText: null })).toStrictEqual({ questionId: "sure", values: ["no"] });
  });
});
