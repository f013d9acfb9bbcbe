import type { SessionView } from "@askbox/core";
import { expect } from "vitest";
import { type Connection, define, eventually, fourFields, type Requirement, type ServerSettings, type ToolResult } from "../requirement.ts";

const nothingYet = { answered: false, cancelled: false, timedOut: false, answers: [] };
/** What `next` says after a person asked back. */
const replyTo = (id: string): unknown => expect.stringContaining(`get_answer, sessionId ${id} and your reply`);
const questions = [
  { id: "db", question: "Which database?", options: ["SQLite", "Postgres"] },
  { id: "name", question: "What is it called?" },
];
const answers = [
  { questionId: "db", values: ["SQLite"] },
  { questionId: "name", values: ["lathe"] },
];
const choices = [{ prompt: "Which database?", title: "Database", options: [{ label: "SQLite" }, { label: "Postgres" }] }];

/** Asks with a tool, and lets a person ask back as soon as the question exists. */
async function askedBack(connection: Connection, tool: string, args: unknown, text = "Why not **Postgres**?") {
  const call = connection.agent.callTool(tool, args);
  const session = await connection.nextSession();
  await connection.desk.askBack(session.id, { text, questionId: session.questions[0]?.id });
  return { session, result: await call };
}

/** Resolves once the session's thread has this many messages. */
const thread = ({ desk }: Connection, id: string, messages: number): Promise<NonNullable<SessionView["thread"]>> =>
  eventually(async () => {
    const { thread = [] } = await desk.get(id);
    return thread.length >= messages ? thread : undefined;
  }, `the thread has ${messages} messages`);

const human = (question: string, more: object = {}) => ({ question, agent_id: "abc-123", ...more });
const inWords: ServerSettings = { tools: ["ask_user_questions"] };
const inPlainWords: ServerSettings = { tools: ["ask_human"] };

/** No dialect may present a result without an answer as one. */
function expectNoAnswer({ isError, text, structuredContent }: ToolResult): void {
  expect(isError).toBe(false);
  expect(text).toMatch(/^Asked back: the person wants to know something before they answer, and this is not an answer\./);
  expect(structuredContent).toBeUndefined();
}

export const askingBackRequirements: readonly Requirement[] = [
  ...define({
    async "back.asked: a call ends with what the person asks back, with four fields false or empty, the words, and a sentence that says what to call"(
      harness,
    ) {
      const connection = await harness.connect();
      const { session, result } = await askedBack(connection, "ask_user", { questions });
      const asked = [{ questionId: "db", text: "Why not **Postgres**?" }];
      expect(result.isError).toBe(false);
      expect(result.structuredContent).toEqual({
        ...nothingYet,
        pending: true,
        sessionId: session.id,
        askedBack: asked,
        next: replyTo(session.id),
      });
      expect(JSON.parse(result.text)).toEqual(result.structuredContent);
      expect(result.texts[1]).toContain(`get_answer with sessionId ${session.id} and your reply`);
      expect(result.texts[1]).toContain(`replaces ${session.id}`);
      expect(result.texts[1]).toContain("this is not an answer");
      expect(await connection.desk.get(session.id)).toMatchObject({ status: "pending", presence: { asker: "will_ask_again" } });
    },
    async "back.replied: get_answer with a reply shows it to the person, continues to wait, and returns the answer, however often the agent is asked back"(
      harness,
    ) {
      const connection = await harness.connect();
      const { session } = await askedBack(connection, "ask_user", { questions });
      const first = connection.agent.callTool("get_answer", { sessionId: session.id, reply: "It needs a *server*." });
      expect((await thread(connection, session.id, 2))[1]).toMatchObject({ text: "It needs a *server*.", by: { surface: "asker" } });
      await connection.desk.askBack(session.id, { text: "And later?" });
      expect((await first).structuredContent).toMatchObject({ ...nothingYet, pending: true, askedBack: [{ text: "And later?" }] });
      const second = connection.agent.callTool("get_answer", { sessionId: session.id, reply: "Later we can move." });
      await thread(connection, session.id, 4);
      await connection.desk.answer(session.id, { answers });
      expect(fourFields(await second)).toEqual({ ...nothingYet, answered: true, answers });
    },
    async "back.replaced: better questions that replace the first ones keep their thread and the drafts of equal questions, and bring their own answer"(
      harness,
    ) {
      const connection = await harness.connect();
      const { session } = await askedBack(connection, "ask_user", { questions });
      await connection.desk.saveDraft(session.id, { fields: { name: { values: ["lathe"] } } });
      const better = [{ id: "db", question: "Which database, for one machine?", options: ["SQLite", "Postgres"] }, questions[1]];
      const call = connection.agent.callTool("ask_user", { questions: better, replaces: session.id });
      const next = await connection.nextSession();
      expect(next).toMatchObject({ replaces: session.id, createdAt: session.createdAt, thread: [{ text: "Why not **Postgres**?" }] });
      const drafted = async () => (await connection.desk.getDraft(next.id)) ?? undefined;
      expect((await eventually(drafted, "the draft is there")).fields).toEqual({ name: { values: ["lathe"] } });
      const replaced = async () => ((await connection.desk.get(session.id)).status === "cancelled" ? true : undefined);
      await eventually(replaced, "the first questions are replaced");
      expect(await connection.desk.get(session.id)).toMatchObject({ status: "cancelled", replacedBy: next.id });
      await connection.desk.answer(next.id, { answers });
      expect(fourFields(await call)).toEqual({ ...nothingYet, answered: true, answers });
    },
    async "back.answered-first: questions answered in the meantime are not replaced: their answer is returned instead"(harness) {
      const connection = await harness.connect();
      const { session } = await askedBack(connection, "ask_user", { questions });
      await connection.desk.answer(session.id, { answers });
      const result = await connection.agent.callTool("ask_user", { questions: [{ question: "Better?" }], replaces: session.id });
      expect(fourFields(result)).toEqual({ ...nothingYet, answered: true, answers });
    },
    async "back.ticket: a message sent while the agent holds a ticket comes with its next call"(harness) {
      const connection = await harness.connect({ maxWait: 1 });
      const call = connection.agent.callTool("ask_user", { questions });
      const { id } = await connection.nextSession();
      await harness.letPass(1_000);
      expect((await call).structuredContent).toEqual({
        ...nothingYet,
        pending: true,
        sessionId: id,
        next: expect.stringContaining("to keep waiting"),
      });
      await connection.desk.askBack(id, { text: "Why?" });
      const next = await connection.agent.callTool("get_answer", { sessionId: id });
      expect(next.structuredContent).toEqual({
        ...nothingYet,
        pending: true,
        sessionId: id,
        askedBack: [{ text: "Why?" }],
        next: replyTo(id),
      });
      const reply = connection.agent.callTool("get_answer", { sessionId: id, reply: "So." });
      await thread(connection, id, 2);
      await harness.letPass(1_000);
      expect((await reply).structuredContent).toEqual({
        ...nothingYet,
        pending: true,
        sessionId: id,
        next: expect.stringContaining("to keep waiting"),
      });
    },
    async "back.gone: an agent that was gone gets the message with its next question, once, and replies to it by its sessionId"(harness) {
      const connection = await harness.connect({ maxWait: 1 });
      const call = connection.agent.callTool("ask_user", { questions });
      const { id } = await connection.nextSession();
      await harness.letPass(1_000);
      await call;
      await connection.desk.askBack(id, { text: "Why?" });
      const other = connection.agent.callTool("ask_user", { questions: [{ id: "a", question: "Shall we?" }] });
      const next = await connection.nextSession();
      await connection.desk.answer(next.id, { answers: [{ questionId: "a", values: ["yes"] }] });
      const { answered, earlier } = (await other).structuredContent as { answered: boolean; earlier: object[] };
      expect(answered).toBe(true);
      expect(earlier).toMatchObject([{ ...nothingYet, pending: true, sessionId: id, askedBack: [{ text: "Why?" }], next: replyTo(id) }]);
      const reply = connection.agent.callTool("get_answer", { sessionId: id, reply: "So." });
      await thread(connection, id, 2);
      await connection.desk.answer(id, { answers });
      expect(fourFields(await reply)).toEqual({ ...nothingYet, answered: true, answers });
    },
    async "back.refused: a reply that is too long, to nobody, or for an unknown session is rejected with a sentence"(harness) {
      const connection = await harness.connect();
      const refusal = async (args: object) => (await connection.agent.callTool("get_answer", args)).text;
      expect(await refusal({ reply: "So." })).toBe("Validation error: reply needs the sessionId of the result with askedBack");
      const call = connection.agent.callTool("ask_user", { questions });
      const { id } = await connection.nextSession();
      expect(await refusal({ sessionId: id, reply: "So." })).toContain("Validation error: Nobody has asked back");
      await connection.desk.askBack(id, { text: "Why?" });
      await call;
      const long = await refusal({ sessionId: id, reply: "x".repeat(10_001) });
      expect(long).toBe("Validation error: A reply to what a person asked back must have 1 to 10,000 characters.");
    },
    async "back.in-words: ask_user_questions reports in words what was asked back, that it is not an answer, and to reply with get_answer"(
      harness,
    ) {
      const connection = await harness.connect(inWords);
      const { session, result } = await askedBack(connection, "ask_user_questions", { questions: choices });
      expectNoAnswer(result);
      expect(result.text).toContain("\n\nWhy not **Postgres**?\n\n");
      expect(result.text).toContain(`Reply by calling get_answer with sessionId ${session.id} and your reply`);
      const reply = connection.agent.callTool("get_answer", { sessionId: session.id, reply: "It needs a server." });
      await thread(connection, session.id, 2);
      await connection.desk.answer(session.id, { answers: [{ questionId: session.questions[0]?.id ?? "", values: ["SQLite"] }] });
      expect((await reply).text).toContain("SQLite");
    },
    async "back.in-plain-words: ask_human returns the person's message, and the agent's next call with in_reply_to is the reply to it"(
      harness,
    ) {
      const connection = await harness.connect(inPlainWords);
      const { session, result } = await askedBack(connection, "ask_human", human("Which database?"));
      expectNoAnswer(result);
      expect(result.text).toContain("\n\nWhy not **Postgres**?\n\n");
      expect(result.text).toContain(`ask_human with your reply as question, your agent_id, and in_reply_to ${session.id}`);
      const reply = connection.agent.callTool("ask_human", human("It needs a server.", { in_reply_to: session.id }));
      expect((await thread(connection, session.id, 2))[1]).toMatchObject({ text: "It needs a server." });
      await connection.desk.answer(session.id, { answers: [{ questionId: session.questions[0]?.id ?? "", values: ["SQLite, then."] }] });
      expect((await reply).text).toBe("SQLite, then.");
      expect((await connection.desk.list()).items).toHaveLength(1);
    },
    async "back.another-question: a call of ask_human without in_reply_to is a new question, and the first one stays open"(harness) {
      const connection = await harness.connect(inPlainWords);
      const { session } = await askedBack(connection, "ask_human", human("Which database?"));
      const call = connection.agent.callTool("ask_human", human("Which name?"));
      const next = await connection.nextSession();
      expect(next.questions[0]?.question).toBe("Which name?");
      expect(await connection.desk.get(session.id)).toMatchObject({ status: "pending", thread: [{ text: "Why not **Postgres**?" }] });
      await connection.desk.answer(next.id, { answers: [{ questionId: next.questions[0]?.id ?? "", values: ["lathe"] }] });
      expect((await call).text).toBe("lathe");
    },
  }),
  ...define.raw({
    async "back.task: a task ends with the person's message, and keeps it; get_answer continues with the questions, which stay open"(
      harness,
    ) {
      const connection = await harness.connect();
      const agent = await connection.raw();
      const asked = agent.request("tools/call", { name: "ask_user", arguments: { questions } });
      const { id } = await connection.nextSession();
      const taskId = String((await asked).result?.["taskId"]);
      await connection.desk.askBack(id, { text: "Why?" });
      const task = async () => (await agent.request("tasks/get", { taskId })).result ?? {};
      expect(await task()).toMatchObject({
        status: "completed",
        statusMessage: "The person asked something back.",
        result: { structuredContent: { ...nothingYet, pending: true, sessionId: id, askedBack: [{ text: "Why?" }] } },
      });
      const deliveredAt = async () => (await connection.desk.get(id)).thread?.[0]?.deliveredAt;
      await eventually(deliveredAt, "the message counts as given");
      expect(await task()).toMatchObject({ status: "completed", result: { structuredContent: { pending: true, sessionId: id } } });
      const reply = agent.request("tools/call", { name: "get_answer", arguments: { sessionId: id, reply: "So." } });
      await thread(connection, id, 2);
      await connection.desk.answer(id, { answers });
      expect((await reply).result).toMatchObject({ structuredContent: { answered: true, answers } });
    },
  }),
  ...define({
    async "back.taught: the server's instructions, the tool and get_answer explain in a sentence each what to do when asked back"(harness) {
      const { agent } = await harness.connect();
      expect(agent.instructions()).toContain("reply with get_answer {sessionId, reply}");
      const [ask, answer] = await agent.listTools();
      expect(ask?.description).toContain("Reply with get_answer {sessionId, reply}");
      expect(ask?.inputSchema).toMatchObject({ properties: { replaces: { type: "string" } } });
      expect(answer?.inputSchema).toMatchObject({ properties: { reply: { type: "string" } } });
      const other = await harness.connect(inPlainWords);
      expect(other.agent.instructions()).toContain('"Asked back:" is the person\'s own question');
      expect((await other.agent.listTools())[0]?.inputSchema).toMatchObject({ properties: { in_reply_to: { type: "string" } } });
    },
  }),
];
