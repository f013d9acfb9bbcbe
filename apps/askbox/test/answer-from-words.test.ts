import { type AskInput, createIds, parseAsk } from "@askbox/core";
import { describe, expect, test } from "vitest";
import { answersFromWords, type Words } from "../src/answer-from-words.ts";

const ids = createIds({ bytes: (count) => new Uint8Array(count) });
const questionsOf = (...questions: AskInput["questions"]) => parseAsk({ questions }, { ids }).questions;
const words = (flags: Partial<Words>): Words => ({ values: [], set: [], other: [], note: [], file: [], skip: [], ...flags });

const style = { id: "style", question: "Style?", type: "select" as const };

describe("a word for an option", () => {
  const questions = questionsOf({
    ...style,
    options: [{ label: "CSS Modules", value: "modules" }, { label: "Tailwind" }, { label: "#1" }, { label: "3" }],
  });
  test.each([
    ["its value", "modules", "modules"],
    ["its label", "CSS Modules", "modules"],
    ["its label in another case", " css modules ", "modules"],
    ["its number", "#2", "Tailwind"],
    ["its number, unless an option is called so", "#1", "#1"],
    ["a bare number, which names no position", "3", "3"],
    ["a number beyond the options, which stays as it is", "#9", "#9"],
    ["no option's, which stays as it is", "Sass", "Sass"],
  ])("can be %s", (_, word, value) => {
    expect(answersFromWords(questions, words({ values: [word] }))).toEqual([{ questionId: "style", values: [value] }]);
  });

  test("is rejected if it matches two options in different cases", () => {
    const similar = questionsOf({ ...style, options: ["Yes", "YES"] });
    expect(() => answersFromWords(similar, words({ values: ["yes"] }))).toThrow("matches more than one option of style; use its number");
    expect(answersFromWords(similar, words({ values: ["YES"] }))).toEqual([{ questionId: "style", values: ["YES"] }]);
  });
});

test.each([
  ["y", "yes"],
  ["YES", "yes"],
  ["n", "no"],
  ["No", "no"],
  ["maybe", "maybe"],
])("for a yes-or-no question, %s means %s", (word, value) => {
  expect(answersFromWords(questionsOf({ id: "go", question: "Go?", type: "confirm" }), words({ values: [word] }))).toEqual([
    { questionId: "go", values: [value] },
  ]);
});

test("a text is kept exactly as typed", () => {
  expect(answersFromWords(questionsOf({ id: "t", question: "T?" }), words({ values: ["  #1 yes "] }))).toEqual([
    { questionId: "t", values: ["  #1 yes "] },
  ]);
});

test("flags for several questions are combined, one answer per question", () => {
  const questions = questionsOf(
    { id: "name", question: "Name?" },
    { ...style, options: ["A", "B"] },
    { id: "more", question: "More?", type: "multi-select", options: ["X", "Y"] },
    { id: "rest", question: "Rest?", required: false },
  );
  const flags = { set: ["name=a=b", "more=x", "more=#2"], other: ["style=Mine"], note: ["style=because", "style=of that"], skip: ["rest"] };
  expect(answersFromWords(questions, words(flags))).toEqual([
    { questionId: "name", values: ["a=b"] },
    { questionId: "more", values: ["X", "Y"] },
    { questionId: "style", values: [], customText: "Mine", note: "because\nof that" },
    { questionId: "rest", values: [] },
  ]);
});

test("an id that contains an equals sign is found", () => {
  const questions = questionsOf({ id: "a", question: "A?" }, { id: "a=b", question: "B?" });
  expect(answersFromWords(questions, words({ set: ["a=b=c", "a=x"] }))).toEqual([
    { questionId: "a=b", values: ["c"] },
    { questionId: "a", values: ["x"] },
  ]);
});

describe("invalid input is rejected with a sentence", () => {
  const two = questionsOf({ id: "a", question: "A?" }, { id: "b", question: "B?", required: false });
  test.each([
    [
      "a bare value among several questions",
      { values: ["x"] },
      "There are 2 questions; specify which one each answer is for: --set a=VALUE --set b=VALUE.",
    ],
    ["nothing at all", {}, "Specify an answer: --set a=VALUE --set b=VALUE."],
    ["a question that is not there", { set: ["c=x"] }, '--set: there is no question "c" here; its questions are a, b.'],
    ["no equals sign", { set: ["a"] }, "--set takes a question's id, an equals sign and a text, as in --set a=TEXT."],
    ["a question both answered and skipped", { set: ["b=x"], skip: ["b"] }, "b is both answered and skipped; choose one."],
    ["Other twice", { other: ["a=x", "a=y"] }, "--other is given twice for a."],
  ])("%s", (_, flags, sentence) => {
    expect(() => answersFromWords(two, words(flags))).toThrow(sentence);
  });
});
