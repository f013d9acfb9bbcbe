import { parseAsk } from "@askbox/core";
import { askInputSchema } from "@askbox/core/schemas";
import { seededIds } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";
import { understand } from "../src/session/lenient-input.ts";

const parse = (input: unknown) => parseAsk(input, { ids: seededIds() });
const one = (question: unknown) => parse({ questions: [question] }).questions[0];
const ab = [
  { label: "A", description: "first" },
  { label: "B", description: "second" },
];
const stored = [
  { label: "A", value: "A", description: "first" },
  { label: "B", value: "B", description: "second" },
];

describe("an ask in the shape of", () => {
  // promise: ask-user-limits
  test.each<[string, unknown, Record<string, unknown>]>([
    [
      "Claude Code",
      { question: "Which?", header: "Pick", options: ab, multiSelect: false },
      { type: "select", header: "Pick", options: stored },
    ],
    ["Claude Code, several", { question: "Which?", header: "Pick", options: ab, multiSelect: true }, { type: "multi-select" }],
    [
      "Claude Code, with previews",
      { question: "Which?", header: "Pick", options: [{ label: "A", description: "", preview: "<a>" }, "B"], multiSelect: false },
      {
        type: "select",
        options: [
          { label: "A", value: "A", description: "", preview: "<a>" },
          { label: "B", value: "B" },
        ],
      },
    ],
    ["OpenCode", { question: "Which?", header: "Pick", options: ab, multiple: true }, { type: "multi-select", allowOther: true }],
    [
      "OpenCode without own text",
      { question: "Which?", header: "Pick", options: ab, custom: false },
      { type: "select", allowOther: false },
    ],
    ["Gemini CLI, choice", { question: "Which?", header: "Pick", type: "choice", options: ab }, { type: "select" }],
    [
      "Gemini CLI, choices",
      { question: "Which?", header: "Pick", type: "choice", options: ab, multiSelect: true },
      { type: "multi-select" },
    ],
    ["another name for a choice, single-select", { question: "Which?", type: "single-select", options: ab }, { type: "select" }],
    ["another name for a choice, single_select", { question: "Which?", type: "single_select", options: ab }, { type: "select" }],
    ["another name for several, multiselect", { question: "Which?", type: " MultiSelect ", options: ab }, { type: "multi-select" }],
    ["another name for several, multi_select", { question: "Which?", type: "multi_select", options: ab }, { type: "multi-select" }],
    ["another name for a yes or no, yes_no", { question: "Sure?", type: "yes_no" }, { type: "confirm" }],
    ["another name for a yes or no, yes-no", { question: "Sure?", type: "yes-no" }, { type: "confirm" }],
    ["Gemini CLI, yes or no", { question: "Sure?", header: "Sure", type: "yesno" }, { type: "confirm", header: "Sure" }],
    ["Gemini CLI, text", { question: "Name?", header: "Name", type: "text", placeholder: "n" }, { type: "text", placeholder: "n" }],
    ["Codex", { id: "pick", header: "Pick", question: "Which?", options: ab }, { id: "pick", type: "select", options: stored }],
    [
      "VS Code",
      {
        header: "Pick",
        question: "Which?",
        message: "It matters.",
        options: [{ label: "A", recommended: true }],
        allowFreeformInput: false,
      },
      {
        type: "select",
        question: "Which?\n\nIt matters.",
        allowOther: false,
        options: [{ label: "A", value: "A", recommended: true }],
      },
    ],
    ["VS Code without options", { header: "Name", question: "Name?", multiSelect: true }, { type: "text", header: "Name" }],
    [
      "ask_user_questions",
      { prompt: "Which?", title: "Pick", options: ab, multiSelect: false },
      { question: "Which?", header: "Pick", type: "select" },
    ],
    [
      "MCP's titled values",
      { question: "Which?", options: [{ const: "a", title: "A" }] },
      { type: "select", options: [{ label: "A", value: "a" }] },
    ],
    ["a bare text", "Which?", { question: "Which?", type: "text" }],
    ["a message alone", { message: "Which?" }, { question: "Which?" }],
  ])("%s is understood", (_tool, question, expected) => {
    expect(one(question)).toMatchObject(expected);
  });

  test.each<[string, unknown]>([
    ["questions as JSON text", { questions: JSON.stringify([{ question: "Which?" }]) }],
    ["one question as JSON text", { questions: JSON.stringify({ question: "Which?" }) }],
    ["one question as an object", { questions: { question: "Which?" } }],
    ["a question instead of questions", { question: "Which?" }],
    ["a prompt instead of questions", { prompt: "Which?", timeout: 20_000 }],
    [
      "null for whatever is left out",
      { questions: [{ question: "Which?", id: null, options: null, type: null, required: null }], title: null, timeout: null },
    ],
  ])("%s is understood", (_what, input) => {
    expect(parse(input).questions).toMatchObject([{ question: "Which?", type: "text", required: true }]);
  });

  test("a timeout in digits, booleans as words and options as JSON text are understood", () => {
    const ask = parse({
      questions: [{ question: "Which?", options: '["A", "B"]', required: "false", multiSelect: "true", allowOther: "false" }],
      timeout: " 20000\n",
    });
    expect(ask).toMatchObject({ questions: [{ type: "multi-select", required: false, allowOther: false }], timeout: 20_000 });
  });

  test("JSON text is understood after blanks, and only if it is JSON from its start", () => {
    expect(parse({ questions: `\n  ${JSON.stringify([{ question: "Which?" }])}` }).questions).toHaveLength(1);
    for (const questions of ['x [{"question":"Which?"}]', 'x[{"question":"Which?"}]', "{what?"])
      expect(understand({ questions })).toEqual({ questions });
  });

  test("valid input is unchanged, and invalid input stays as it is", () => {
    const input = { questions: [{ id: "a", question: "Name?", type: "text" }], title: "T", timeout: 20_000 };
    expect(understand(input)).toStrictEqual(input);
    for (const other of [undefined, 7, [], "text", { questions: 7 }, { questions: [7, null] }, {}])
      expect(understand(other)).toStrictEqual(other);
  });

  test("long labels, headers and descriptions are kept in full", () => {
    const long = "x".repeat(5_000);
    expect(one({ question: "?", header: long, options: [{ label: long, description: long }, "b"] })).toMatchObject({
      header: long,
      options: [{ label: long, description: long }, { label: "b" }],
    });
  });

  test("a long message is shortened, a long question is rejected", () => {
    const asked = one({ question: "Which?", message: "m".repeat(100_000) })?.question ?? "";
    expect(asked).toHaveLength(20_000);
    expect(asked).toMatch(/^Which\?\n\nm+…$/);
    expect(() => one({ prompt: "x".repeat(1_001) })).toThrow("questions[0].question must be at most 1000 characters long");
  });
});

describe("the contract takes precedence over lenient reading", () => {
  test("its own fields take precedence over other names for them", () => {
    expect(
      one({ question: "Ours?", prompt: "Theirs?", header: "Ours", title: "Theirs", options: ["a"], allowOther: true, custom: false }),
    ).toMatchObject({
      question: "Ours?",
      header: "Ours",
      allowOther: true,
    });
    expect(one({ question: "?", type: "text", options: ["a", "b"], multiSelect: true })).toMatchObject({ type: "text" });
  });

  test.each<[string, unknown, string]>([
    ["a choice without options", { questions: [{ question: "?", type: "choice" }] }, "Options required for select/multi-select types"],
    ["an empty prompt", { questions: [{ prompt: "" }] }, "question text is required"],
    ["text that is no JSON", { questions: "[what?" }, "questions must be an array of 1 to 10 questions"],
    [
      "a number with words after it",
      { questions: ["?"], timeout: "20000 ms" },
      "timeout must be a whole number of milliseconds from 10000 to 1800000",
    ],
    [
      "a number with words before it",
      { questions: ["?"], timeout: "in 20000" },
      "timeout must be a whole number of milliseconds from 10000 to 1800000",
    ],
    ["a number in words", { questions: ["?"], timeout: "soon" }, "timeout must be a whole number of milliseconds from 10000 to 1800000"],
    ["a boolean in other words", { questions: [{ question: "?", required: "yes" }] }, "questions[0].required must be a boolean"],
    ["an empty list", { questions: "[]" }, "questions array must have at least 1 item"],
  ])("%s is rejected with its own message", (_what, input, sentence) => {
    expect(() => parse(input)).toThrow(sentence);
  });

  test("valid input is read as the contract's schema reads it", () => {
    const input = {
      questions: [
        { id: "a", question: "Name?", placeholder: "n", header: "h" },
        { id: "b", question: "Which?", type: "multi-select" as const, options: ["x", { label: "Y", value: "y" }], required: false },
      ],
      title: "T",
      timeout: 20_000,
    };
    expect(parse(input)).toMatchObject({
      title: "T",
      timeout: 20_000,
      questions: [
        { id: "a", type: "text", placeholder: "n" },
        { id: "b", required: false },
      ],
    });
    expect(askInputSchema.safeParse(input).success).toBe(true);
  });
});
