import { expect } from "vitest";
import { answerNext, define, type Requirement } from "../requirement.ts";

const question = { question: "Which one?" };
const many = (count: number) => Array.from({ length: count }, (_, index) => ({ question: `Question ${index}?` }));

/** Invalid input, with the sentence that follows "Validation error: ". */
const refused: readonly [what: string, args: unknown, sentence: string][] = [
  ["no arguments", undefined, "questions array must have at least 1 item"],
  ["empty arguments", {}, "questions array must have at least 1 item"],
  ["null for arguments", null, "questions array must have at least 1 item"],
  ["an empty array", { questions: [] }, "questions array must have at least 1 item"],
  ["eleven questions", { questions: many(11) }, "questions array exceeds maximum of 10"],
  ["a text for the array", { questions: "what?" }, "questions must be an array of 1 to 10 questions"],
  ["a select without options", { questions: [{ ...question, type: "select" }] }, "Options required for select/multi-select types"],
  [
    "a multi-select with no option",
    { questions: [{ ...question, type: "multi-select", options: [] }] },
    "Options required for select/multi-select types",
  ],
  ["an empty question", { questions: [{ question: "" }] }, "question text is required"],
  ["a blank question", { questions: [{ question: " \n" }] }, "question text is required"],
  ["a question left out", { questions: [{ type: "text" }] }, "question text is required"],
  ["1,001 characters", { questions: [{ question: "a".repeat(1_001) }] }, "questions[0].question must be at most 1000 characters long"],
  ["a title of 101", { questions: [question], title: "a".repeat(101) }, "title must be at most 100 characters long"],
  ["9,999 ms", { questions: [question], timeout: 9_999 }, "timeout must be a whole number of milliseconds from 10000 to 1800000"],
  ["1,800,001 ms", { questions: [question], timeout: 1_800_001 }, "timeout must be a whole number of milliseconds from 10000 to 1800000"],
  [
    "half a millisecond",
    { questions: [question], timeout: 20_000.5 },
    "timeout must be a whole number of milliseconds from 10000 to 1800000",
  ],
  [
    "an unknown type",
    { questions: [{ ...question, type: "hologram" }] },
    'questions[0].type must be one of "text", "select", "multi-select", "confirm", "number", "date", "rating", "ranking", "approval", "review", "file"',
  ],
  [
    "limits that contradict each other",
    { questions: [question, { ...question, type: "number", min: 2, max: 1 }] },
    "questions[1] has a min of 2 above its max of 1; no answer could be valid",
  ],
  [
    "the same option twice",
    { questions: [{ ...question, type: "multi-select", options: ["a", { label: "A", value: "a" }] }] },
    'questions[0] offers the option "a" twice',
  ],
  ["a number for required", { questions: [{ ...question, required: 1 }] }, "questions[0].required must be a boolean"],
];

export const inputRequirements: readonly Requirement[] = [
  ...refused.map(
    ([what, args, sentence]): Requirement => ({
      id: `input.refused.${what.replaceAll(/\W+/g, "-")}`,
      sentence: `${what}: rejected with the contract's error result, and nothing is asked`,
      async run(harness) {
        const { agent, desk } = await harness.connect();
        // A client that knows the output schema validates results, so an error result must be valid.
        await agent.listTools();
        const result = await agent.callTool("ask_user", args);
        expect(result).toMatchObject({ isError: true, text: `Validation error: ${sentence}`, structuredContent: undefined });
        expect((await desk.list()).items).toEqual([]);
      },
    }),
  ),
  ...define({
    // promise: ask-user-limits, timeout-setting
    async "input.limits: ten questions of 1,000 characters, a title of 100 and the maximum timeout are accepted"(harness) {
      const connection = await harness.connect();
      const text = "a".repeat(1_000);
      const call = connection.agent.callTool("ask_user", {
        questions: many(10).map(() => ({ question: text })),
        title: "t".repeat(100),
        timeout: 1_800_000,
      });
      const session = await answerNext(connection, ({ questions }) => ({
        answers: questions.map(({ id }) => ({ questionId: id, values: ["x"] })),
      }));
      expect(session.questions.map((asked) => asked.question)).toEqual(Array(10).fill(text));
      expect((session.deadlineAt ?? 0) - session.createdAt).toBe(1_800_000);
      expect((await call).structuredContent).toMatchObject({ answered: true });
    },
    async "input.defaults: type, required and timeout have the contract's defaults"(harness) {
      const connection = await harness.connect();
      const call = connection.agent.callTool("ask_user", { questions: [question] });
      const session = await connection.nextSession();
      expect(session.questions[0]).toMatchObject({ type: "text", required: true });
      expect((session.deadlineAt ?? 0) - session.createdAt).toBe(300_000);
      await connection.desk.cancel(session.id);
      await call;
    },
    async "input.json-string: questions sent as a JSON string are understood"(harness) {
      const connection = await harness.connect();
      const call = connection.agent.callTool("ask_user", { questions: JSON.stringify([{ id: "a", question: "A?" }]) });
      await answerNext(connection, () => ({ answers: [{ questionId: "a", values: ["yes"] }] }));
      expect((await call).structuredContent).toMatchObject({ answered: true, answers: [{ questionId: "a", values: ["yes"] }] });
    },
    async "input.unknown-arguments: unknown arguments are stripped, at the top and in a question"(harness) {
      const connection = await harness.connect();
      const call = connection.agent.callTool("ask_user", { questions: [{ ...question, colour: "red" }], wait_for_previous: true });
      const session = await answerNext(connection, ({ questions }) => ({
        answers: questions.map(({ id }) => ({ questionId: id, values: ["x"] })),
      }));
      expect(session.questions[0]).not.toHaveProperty("colour");
      expect((await call).structuredContent).toMatchObject({ answered: true });
    },
    async "input.option-objects: an option given as an object is answered with its value, or its label"(harness) {
      const connection = await harness.connect();
      const options = [
        { label: "SQLite", value: "sqlite", description: "one file", recommended: true, preview: "`db`" },
        { label: "None" },
      ];
      const call = connection.agent.callTool("ask_user", {
        questions: [{ id: "db", question: "Which?", type: "multi-select", options, header: "DB" }],
      });
      const session = await answerNext(connection, () => ({ answers: [{ questionId: "db", values: ["sqlite", "None"] }] }));
      expect(session.questions[0]).toMatchObject({ header: "DB", options: [options[0], { label: "None", value: "None" }] });
      expect((await call).structuredContent).toMatchObject({ answers: [{ questionId: "db", values: ["sqlite", "None"] }] });
    },
  }),
];
