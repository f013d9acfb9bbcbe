import type { AnswerSet } from "@askbox/core";
import { expect } from "vitest";
import { answerNext, type Connection, define, type Requirement } from "../requirement.ts";

type Tool = "interactive_feedback" | "zhi" | "request_user_input";
type Args = Record<string, unknown>;
type Answer = Omit<AnswerSet["answers"][number], "questionId">;

/** A contract of a feedback server. */
interface Contract {
  id: string;
  name: string;
  tool: Tool;
  /** A call without options, with the question that it becomes and its time; `untimed`: one that sets no time, if that one does. */
  plain: { args: Args; question: Record<string, unknown>; seconds: number; untimed?: Args };
  /** A call with the options Red and Blue. */
  choice?: Record<string, unknown>;
  /** The contract's result for these answers. */
  results: { written: string; chosen?: string; both?: string; empty: string };
  /** What the contract itself says, before askbox's own sentence. */
  declined?: string;
  timed_out?: string;
  /** The contract's form of a sentence. */
  form(sentence: string): string;
}

const json = (value: unknown) => JSON.stringify(value, null, 2);
const contracts: readonly Contract[] = [
  {
    id: "feedback.one-line",
    name: "interactive_feedback of noopstudios",
    tool: "interactive_feedback",
    plain: {
      args: { project_directory: "/home/me/shop\nsecond", summary: "Is it done?\nMore." },
      question: { question: "Is it done?", header: "shop", type: "text" },
      seconds: 1_800,
    },
    results: { written: json({ logs: "", interactive_feedback: "Not yet.\n  So." }), empty: json({ logs: "", interactive_feedback: "" }) },
    form: (sentence) => json({ logs: "", interactive_feedback: sentence }),
  },
  {
    id: "feedback.options",
    name: "interactive_feedback of poliva",
    tool: "interactive_feedback",
    plain: { args: { message: "Is it done?\nMore." }, question: { question: "Is it done?\nMore.", type: "text" }, seconds: 1_800 },
    choice: { message: "Which?", predefined_options: ["Red", "Blue"] },
    results: {
      written: json({ interactive_feedback: "Not yet.\n  So." }),
      chosen: json({ interactive_feedback: "Red; Blue" }),
      both: json({ interactive_feedback: "Red\n\nnot Blue" }),
      empty: json({ interactive_feedback: "" }),
    },
    form: (sentence) => json({ interactive_feedback: sentence }),
  },
  {
    id: "feedback.enhanced",
    name: "interactive_feedback of Minidoracat",
    tool: "interactive_feedback",
    plain: {
      args: { project_directory: ".", summary: "Is it done?\nMore.", timeout: 90 },
      question: { question: "Is it done?\nMore.", type: "text" },
      seconds: 90,
      untimed: { summary: "Is it done?" },
    },
    results: { written: "=== 用戶回饋 ===\nNot yet.\n  So.", empty: "用戶未提供任何回饋內容。" },
    declined: "用戶取消了回饋。",
    form: (sentence) => sentence,
  },
  {
    id: "feedback.zhi",
    name: "zhi",
    tool: "zhi",
    plain: { args: { message: "Is it done?\nMore." }, question: { question: "Is it done?\nMore.", type: "text" }, seconds: 1_800 },
    choice: { message: "Which?", predefined_options: ["Red", "Blue"] },
    results: {
      written: "Not yet.\n  So.",
      chosen: "选择的选项: Red, Blue",
      both: "选择的选项: Red\n\nnot Blue",
      empty: "用户未提供任何内容",
    },
    declined: "用户取消了操作",
    form: (sentence) => sentence,
  },
  {
    id: "feedback.user-input",
    name: "request_user_input",
    tool: "request_user_input",
    plain: {
      args: { projectName: "Shop", message: "Is it done?\nMore." },
      question: { question: "Is it done?\nMore.", header: "Shop", type: "text" },
      seconds: 300,
    },
    choice: { projectName: "Shop", message: "Which?", predefinedOptions: ["Red", "Blue"] },
    results: {
      written: "User replied: Not yet.\n  So.",
      chosen: "User replied: Red",
      both: "User replied: not Blue",
      empty: "User replied with empty input.",
    },
    timed_out: "User did not reply: Timeout occurred.",
    form: (sentence) => sentence,
  },
];

/** The call's result after its question has this answer. */
async function resultOf(connection: Connection, { tool }: Contract, args: unknown, answer: Answer | undefined) {
  const call = connection.agent.callTool(tool, args);
  await answerNext(connection, ({ questions }) => ({
    answers: questions.flatMap(({ id }) => (answer ? [{ ...answer, questionId: id }] : [])),
  }));
  return call;
}

const ofContract = (contract: Contract): readonly Requirement[] => {
  const { id, name, tool, plain, choice, results, declined, timed_out, form } = contract;
  const isMany = tool !== "request_user_input";
  const own = (said: string | undefined, sentence: string) => form(said === undefined ? sentence : `${said}\n\n${sentence}`);
  return [
    ...define({
      async [`${id}.reply: ${name}: the call becomes one question, and its only text is the reply in the contract's form`](harness) {
        const connection = await harness.connect({ tools: [tool] });
        const call = connection.agent.callTool(tool, plain.args);
        const session = await answerNext(connection, ({ questions }) => ({
          answers: [{ questionId: questions[0]?.id ?? "", values: ["Not yet.\n  So."] }],
        }));
        expect(session).toMatchObject({ asker: { tool }, questions: [plain.question] });
        expect((session.deadlineAt ?? 0) - session.createdAt).toBe(plain.seconds * 1_000);
        expect(await call).toEqual({ isError: false, text: results.written, texts: [results.written], structuredContent: undefined });
      },
      async [`${id}.empty: ${name}: a reply that a person sends empty is worded as the contract words it`](harness) {
        const connection = await harness.connect({ tools: [tool] });
        expect(await resultOf(connection, contract, plain.args, undefined)).toMatchObject({ isError: false, texts: [results.empty] });
      },
      async [`${id}.declined: ${name}: a declined question says so in the contract's form, and is an error`](harness) {
        const connection = await harness.connect({ tools: [tool] });
        const call = connection.agent.callTool(tool, plain.args);
        await connection.desk.cancel((await connection.nextSession()).id, { reason: "Not today" });
        const sentence = "Failed: the person declined the question. Reason: Not today. Do not proceed as if they had agreed.";
        expect(await call).toMatchObject({ isError: true, texts: [own(declined, sentence)] });
      },
      async [`${id}.timeout: ${name}: a question that nobody answered says so in the contract's form, and is an error`](harness) {
        const connection = await harness.connect({ tools: [tool], timeout: 10_000 });
        const call = connection.agent.callTool(tool, plain.untimed ?? plain.args);
        const session = await connection.nextSession();
        await harness.letPass(10_000);
        const result = await call;
        expect(result.isError).toBe(true);
        const sentence = `Failed: timed out. The person did not answer within 10 seconds; nobody had it open (status: timed_out, sessionId: ${session.id}). Silence is not a decision: do not proceed as if the person had agreed.`;
        expect(result.texts).toEqual([own(timed_out, sentence)]);
      },
      async [`${id}.ticket: ${name}: a client's limit gives a ticket in the contract's form, and get_answer the contract's result`](
        harness,
      ) {
        const connection = await harness.connect({ tools: [tool], maxWait: 1 });
        const call = connection.agent.callTool(tool, plain.args);
        const { id: sessionId, questions } = await connection.nextSession();
        await harness.letPass(1_000);
        const ticket = `Pending: the person has not answered yet, and this is not an answer. The question stays open under sessionId ${sessionId}: call get_answer with it to keep waiting, or without that tool ask exactly the same again.`;
        expect(await call).toMatchObject({ isError: false, texts: [form(ticket)] });
        await connection.desk.answer(sessionId, { answers: [{ questionId: questions[0]?.id ?? "", values: ["Not yet.\n  So."] }] });
        expect(await connection.agent.callTool("get_answer", { sessionId })).toMatchObject({ isError: false, texts: [results.written] });
      },
      async [`${id}.asked-back: ${name}: what a person asks back comes in the contract's form, with how to reply`](harness) {
        const connection = await harness.connect({ tools: [tool] });
        const call = connection.agent.callTool(tool, plain.args);
        const { id: sessionId } = await connection.nextSession();
        await connection.desk.askBack(sessionId, { text: "Done with what?" });
        const sentences = [
          "Asked back: the person wants to know something before they answer, and this is not an answer.",
          "Done with what?",
          `Reply by calling get_answer with sessionId ${sessionId} and your reply (markdown); it keeps waiting for the answer. Without that tool, ask again, with what they want to know in the question.`,
        ];
        expect(await call).toMatchObject({ isError: false, texts: [form(sentences.join("\n\n"))] });
      },
    }),
    ...(choice === undefined
      ? []
      : define({
          async [`${id}.chosen: ${name}: the options that are chosen are the reply`](harness) {
            const connection = await harness.connect({ tools: [tool] });
            const call = connection.agent.callTool(tool, choice);
            const session = await answerNext(connection, ({ questions }) => ({
              answers: [{ questionId: questions[0]?.id ?? "", values: isMany ? ["Red", "Blue"] : ["Red"] }],
            }));
            expect(session.questions).toMatchObject([
              { type: isMany ? "multi-select" : "select", options: [{ label: "Red" }, { label: "Blue" }], allowOther: true },
            ]);
            expect(await call).toMatchObject({ isError: false, texts: [results.chosen] });
          },
          async [`${id}.own-words: ${name}: a person may write a reply of their own besides the options`](harness) {
            const connection = await harness.connect({ tools: [tool] });
            const answer = { values: isMany ? ["Red"] : [], customText: "not Blue" };
            expect(await resultOf(connection, contract, choice, answer)).toMatchObject({ isError: false, texts: [results.both] });
          },
        })),
  ];
};

/** Calls of `interactive_feedback`, and how long their question waits, in seconds. */
const times: readonly [what: string, args: Args, seconds: number][] = [
  ["no timeout", { project_directory: "." }, 600],
  ["less than the contract's minimum", { summary: "Done?", timeout: 1 }, 60],
  ["more than askbox waits", { summary: "Done?", timeout: 86_400 }, 1_800],
  ["digits", { summary: "Done?", timeout: "120" }, 120],
  ["no number", { summary: "Done?", timeout: "soon" }, 600],
];

const refused: readonly [what: string, tool: Tool, args: unknown, sentence: string][] = [
  ["an empty message", "interactive_feedback", { message: " " }, "message is required"],
  ["a number as summary", "interactive_feedback", { summary: 7 }, "summary must be a string"],
  [
    "options that are no list",
    "interactive_feedback",
    { message: "Which?", predefined_options: "Red" },
    "predefined_options must be an array of strings",
  ],
  ["a long message", "interactive_feedback", { message: "m".repeat(20_001) }, "message must be at most 20000 characters long"],
  ["no arguments", "zhi", undefined, "message is required"],
  ["a list as message", "zhi", { message: ["So."] }, "message must be a string"],
  ["no project", "request_user_input", { message: "Which?" }, "projectName is required"],
  ["no question", "request_user_input", { projectName: "Shop" }, "message is required"],
];

const properties: Record<Tool, Record<string, string>> = {
  interactive_feedback: {
    message: "string",
    predefined_options: "array",
    project_directory: "string",
    summary: "string",
    timeout: "integer",
  },
  zhi: { message: "string", predefined_options: "array", is_markdown: "boolean" },
  request_user_input: { projectName: "string", message: "string", predefinedOptions: "array" },
};
const required: Record<Tool, readonly string[] | undefined> = {
  interactive_feedback: undefined,
  zhi: ["message"],
  request_user_input: ["projectName", "message"],
};

/** The contracts of feedback servers: one message, with options where there are any, and the reply in each contract's own words. */
export const feedbackRequirements: readonly Requirement[] = [
  ...contracts.flatMap(ofContract),
  ...(Object.keys(properties) as Tool[]).flatMap((tool) =>
    define({
      async [`feedback.tool.${tool}: ${tool} has the contract's name and fields, and no output schema`](harness) {
        const { agent } = await harness.connect({ tools: [tool] });
        const [listed, ...others] = await agent.listTools();
        expect(listed?.name).toBe(tool);
        const types = Object.entries(Object(listed?.inputSchema["properties"]) as Record<string, { type: string }>);
        expect(Object.fromEntries(types.map(([name, { type }]) => [name, type]))).toEqual(properties[tool]);
        expect(listed?.inputSchema["required"]).toEqual(required[tool]);
        expect(listed?.outputSchema).toBeUndefined();
        expect(others.map(({ name }) => name)).toEqual(["get_answer", "get_files"]);
        expect(agent.instructions()).toContain(`Call ${tool} when`);
      },
    }),
  ),
  ...refused.flatMap(([what, tool, args, sentence]) =>
    define({
      async [`feedback.refused.${tool}.${what.replaceAll(/\W+/g, "-")}: ${tool} with ${what} is an error, and nothing is asked`](harness) {
        const { agent, desk } = await harness.connect({ tools: [tool] });
        expect(await agent.callTool(tool, args)).toMatchObject({ isError: true, text: `Validation error: ${sentence}` });
        expect((await desk.list()).items).toEqual([]);
      },
    }),
  ),
  ...define({
    async "feedback.enhanced.times: interactive_feedback waits for its timeout in seconds, within the contract's minimum and askbox's maximum"(
      harness,
    ) {
      const connection = await harness.connect({ tools: ["interactive_feedback"] });
      for (const [what, args, seconds] of times) {
        void connection.agent.callTool("interactive_feedback", args).catch(() => {});
        const { createdAt, deadlineAt } = await connection.nextSession();
        expect((deadlineAt ?? 0) - createdAt, what).toBe(seconds * 1_000);
      }
    },
    async "feedback.enhanced.defaults: interactive_feedback without any field asks what the contract asks"(harness) {
      const connection = await harness.connect({ tools: ["interactive_feedback"] });
      expect(await resultOf(connection, contracts[2] as Contract, {}, { values: ["Go on."] })).toMatchObject({
        texts: ["=== 用戶回饋 ===\nGo on."],
      });
    },
    async "feedback.all-fields: fields that a model leaves empty do not count as given"(harness) {
      const connection = await harness.connect({ tools: ["interactive_feedback"] });
      const args = { message: "", predefined_options: [], project_directory: "/p", summary: "Done?", timeout: null };
      const result = await resultOf(connection, contracts[0] as Contract, args, { values: ["Yes."] });
      expect(JSON.parse(result.text)).toEqual({ logs: "", interactive_feedback: "Yes." });
    },
    async "feedback.options.lenient: options as JSON text are understood, and those that are empty or repeated are left out"(harness) {
      const { agent, nextSession } = await harness.connect({ tools: ["interactive_feedback"] });
      const call = { message: "Which?", predefined_options: JSON.stringify(["Red", "", "Red", "Blue"]) };
      void agent.callTool("interactive_feedback", call).catch(() => {});
      expect((await nextSession()).questions).toMatchObject([{ options: [{ label: "Red" }, { label: "Blue" }] }]);
    },
    async "feedback.remarks: a note and a comment come along with the reply"(harness) {
      const connection = await harness.connect({ tools: ["zhi"] });
      const call = connection.agent.callTool("zhi", { message: "Which?", predefined_options: ["Red", "Blue"] });
      const { id, questions } = await connection.nextSession();
      const answers = [{ questionId: questions[0]?.id ?? "", values: ["Red"], note: "the light one" }];
      await connection.desk.answer(id, { answers, comment: "and quickly" });
      expect((await call).text).toBe("选择的选项: Red\n\nthe light one\n\nand quickly");
    },
    async "feedback.zhi.plain: a message that is not markdown is shown as it is"(harness) {
      const { agent, nextSession } = await harness.connect({ tools: ["zhi"] });
      void agent.callTool("zhi", { message: "a ```` *b*", is_markdown: false }).catch(() => {});
      expect((await nextSession()).questions).toMatchObject([{ question: "`````text\na ```` *b*\n`````" }]);
    },
  }),
];
