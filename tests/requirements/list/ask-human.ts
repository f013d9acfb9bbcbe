import { expect } from "vitest";
import { type Connection, define, eventually, type Requirement, type ServerSettings, type ToolResult } from "../requirement.ts";

const settings: ServerSettings = { tools: ["ask_human"] };
const ask = ({ agent }: Connection, question: string, agentId = "abc-123") => agent.callTool("ask_human", { question, agent_id: agentId });

/** The same, once the server has received it: requests on separate connections may overtake each other. */
async function askAndArrive(connection: Connection, question: string, signal?: AbortSignal): Promise<{ call: Promise<ToolResult> }> {
  const arrived = Promise.withResolvers<void>();
  const args = { question, agent_id: "abc-123" };
  const call = connection.agent.callTool("ask_human", args, { onProgress: () => arrived.resolve(), signal });
  await arrived.promise;
  return { call };
}

/** Answers the only question of the session in plain words. */
async function replyTo({ desk }: Connection, id: string, text: string): Promise<void> {
  const { questions } = await desk.get(id);
  await desk.answer(id, { answers: [{ questionId: questions[0]?.id ?? "", values: [text] }] });
}

const refused: readonly [what: string, args: unknown, sentence: string][] = [
  ["no arguments", undefined, "question is required"],
  ["a blank question", { question: " ", agent_id: "a" }, "question is required"],
  ["a question without an agent_id", { question: "Why?" }, "agent_id is required"],
  ["an empty agent_id", { question: "Why?", agent_id: "" }, "agent_id is required"],
  ["a number for the agent_id", { question: "Why?", agent_id: 7 }, "agent_id must be a string"],
];

export const askHumanRequirements: readonly Requirement[] = [
  ...define({
    async "human.tool: the tool takes question and agent_id, and its description says to pass the id exactly as given"(harness) {
      const { agent } = await harness.connect(settings);
      const [tool, ...others] = await agent.listTools();
      expect(tool).toMatchObject({
        name: "ask_human",
        inputSchema: {
          type: "object",
          properties: { question: { type: "string" }, agent_id: { type: "string" } },
          required: ["question", "agent_id"],
        },
      });
      expect(tool?.description).toContain("agent_id exactly as it was given");
      expect(tool?.outputSchema).toBeUndefined();
      expect(others.map(({ name }) => name)).toEqual(["get_answer", "get_files"]);
      expect(agent.instructions()).toContain("Call ask_human when");
    },
    async "human.reply: the call blocks until the person replies, and its result is the reply as written"(harness) {
      const connection = await harness.connect(settings);
      const call = ask(connection, "Blue or green?");
      const session = await connection.nextSession();
      expect(session).toMatchObject({
        asker: { agentId: "abc-123", tool: "ask_human", inlineReply: true },
        questions: [{ type: "text", question: "Blue or green?" }],
      });
      await replyTo(connection, session.id, "Blue.\n\n  And *no* green 🟢.");
      expect(await call).toEqual({
        isError: false,
        text: "Blue.\n\n  And *no* green 🟢.",
        texts: ["Blue.\n\n  And *no* green 🟢."],
        structuredContent: undefined,
      });
    },
    async "human.comment: the person's other remarks come along with the reply"(harness) {
      const connection = await harness.connect(settings);
      const call = ask(connection, "Blue or green?");
      const { id, questions } = await connection.nextSession();
      const answers = [{ questionId: questions[0]?.id ?? "", values: ["Blue"], note: "the light one" }];
      await connection.desk.answer(id, { answers, comment: "and quickly" });
      expect((await call).text).toBe("Blue\n\nthe light one\n\nand quickly");
    },
    async "human.long-question: a question may be long"(harness) {
      const connection = await harness.connect(settings);
      const letter = "Dear human, ".repeat(500);
      const call = ask(connection, letter);
      const { id, questions } = await connection.nextSession();
      expect(questions[0]?.question).toBe(letter);
      await replyTo(connection, id, "Yes.");
      expect((await call).text).toBe("Yes.");
    },
  }),
  ...define.inFakeTime({
    async "human.ten-minutes: the person has 10 minutes; after that the call is an error"(harness) {
      const connection = await harness.connect({ ...settings, maxWait: 0 });
      const call = ask(connection, "Still there?");
      const { id, createdAt, deadlineAt } = await connection.nextSession();
      expect((deadlineAt ?? 0) - createdAt).toBe(600_000);
      await harness.letPass(599_999);
      expect((await connection.desk.get(id)).status).toBe("pending");
      await harness.letPass(1);
      const result = await call;
      expect(result.isError).toBe(true);
      expect(result.text).toMatch(/^Failed: timed out\. The person did not answer within 10 minutes/);
    },
  }),
  ...define({
    async "human.timeout: another time can be configured for the server"(harness) {
      const connection = await harness.connect({ ...settings, timeout: 10_000 });
      const call = ask(connection, "Still there?");
      await connection.nextSession();
      await harness.letPass(10_000);
      expect(await call).toMatchObject({ isError: true, text: expect.stringContaining("within 10 seconds") });
    },
    async "human.turned-down: a declined question is an error with the reason"(harness) {
      const connection = await harness.connect(settings);
      const call = ask(connection, "May I?");
      await connection.desk.cancel((await connection.nextSession()).id, { reason: "Not today." });
      const result = await call;
      expect(result.isError).toBe(true);
      expect(result.text).toContain("Reason: Not today.");
    },
  }),
  ...refused.map(
    ([what, args, sentence]): Requirement => ({
      id: `human.refused.${what.replaceAll(/\W+/g, "-")}`,
      sentence: `${what}: rejected, and nothing is asked`,
      async run(harness) {
        const { agent, desk } = await harness.connect(settings);
        expect(await agent.callTool("ask_human", args)).toMatchObject({ isError: true, text: `Validation error: ${sentence}` });
        expect((await desk.list()).items).toEqual([]);
      },
    }),
  ),
  ...define({
    async "human.any-agent: any agent_id is accepted while none is registered"(harness) {
      const connection = await harness.connect(settings);
      const call = ask(connection, "Who am I?", "whoever");
      const { id } = await connection.nextSession();
      await replyTo(connection, id, "You are.");
      expect((await call).text).toBe("You are.");
    },
    async "human.unknown-agent: once agents are registered, another id is a structured error in both fields, and nothing is asked"(
      harness,
    ) {
      const connection = await harness.connect(settings);
      await connection.agents.add({ id: "abc-123" });
      const result = await ask(connection, "Who am I?", "whoever");
      expect(result.isError).toBe(true);
      expect(result.structuredContent).toMatchObject({ error: "unknown agent_id", agent_id: "whoever" });
      expect(JSON.parse(result.text)).toEqual(result.structuredContent);
      expect((await connection.desk.list()).items).toEqual([]);
      const known = ask(connection, "Who am I?", "abc-123");
      await replyTo(connection, (await connection.nextSession()).id, "You are.");
      expect((await known).text).toBe("You are.");
    },
    async "human.queue: calls of the same agent are queued in order of arrival, and each gets its own reply"(harness) {
      const connection = await harness.connect(settings);
      const numbers = [1, 2, 3];
      const first = ask(connection, "Question 1?");
      const opened = await connection.nextSession();
      const { call: second } = await askAndArrive(connection, "Question 2?");
      const { call: third } = await askAndArrive(connection, "Question 3?");
      const calls = [first, second, third];
      const other = ask(connection, "Somebody else?", "other");
      const others = await connection.nextSession();
      expect(others.asker.agentId).toBe("other");
      await replyTo(connection, others.id, "Hello.");
      await other;
      let session = opened;
      for (const number of numbers) {
        expect(session.questions[0]?.question).toBe(`Question ${number}?`);
        const waiting = await connection.desk.list({ statuses: ["pending"], agentId: "abc-123" });
        expect(waiting.items.map(({ id }) => id)).toEqual([session.id]);
        await replyTo(connection, session.id, `Reply ${number}.`);
        expect((await calls[number - 1])?.text).toBe(`Reply ${number}.`);
        if (number < numbers.length) session = await connection.nextSession();
      }
    },
  }),
  ...define.inFakeTime({
    async "human.queue-time: the time of a queued call starts when its own question is asked"(harness) {
      const connection = await harness.connect({ ...settings, maxWait: 0 });
      const first = ask(connection, "First?");
      await connection.nextSession();
      const second = ask(connection, "Second?");
      await harness.letPass(600_000);
      expect((await first).isError).toBe(true);
      const { id, createdAt, deadlineAt } = await connection.nextSession();
      expect((deadlineAt ?? 0) - createdAt).toBe(600_000);
      await replyTo(connection, id, "In time.");
      expect((await second).text).toBe("In time.");
    },
  }),
  ...define({
    async "human.queue-cancelled: a cancelled call makes room for the next, whether its question was asked or queued"(harness) {
      const connection = await harness.connect(settings);
      const cancelled = [new AbortController(), new AbortController()];
      const gone = [];
      for (const { signal } of cancelled) {
        const { call } = await askAndArrive(connection, "Gone?", signal);
        gone.push(call.catch(() => "cancelled"));
      }
      const { call: stays } = await askAndArrive(connection, "Stays?");
      for (const controller of cancelled.reverse()) controller.abort();
      expect(await Promise.all(gone)).toEqual(["cancelled", "cancelled"]);
      let session = await connection.nextSession();
      // The second's cancellation may arrive after the first's, so it is queued in between.
      for (let more = 2; more > 0 && session.questions[0]?.question === "Gone?"; more -= 1) session = await connection.nextSession();
      expect(session.questions[0]?.question).toBe("Stays?");
      await replyTo(connection, session.id, "I see.");
      expect((await stays).text).toBe("I see.");
    },
    async "human.queue-limit: a queued call that must return says so, and nothing of it was asked"(harness) {
      const connection = await harness.connect({ ...settings, maxWait: 2 });
      const first = ask(connection, "First?");
      const { id } = await connection.nextSession();
      const second = ask(connection, "Second?");
      await harness.letPass(2_000);
      await first;
      // A call with no time left returns after the minimum wait.
      await harness.letPass(1);
      const results = await Promise.all([first, second]);
      expect(results[0]?.text).toContain(`sessionId ${id}: call get_answer`);
      // The first one's return may just have let the second one ask; then it has its own ticket.
      if (results[1]?.isError === true) expect(results[1].text).toContain("An earlier question of agent abc-123 is still open");
      else expect(results[1]?.text).toMatch(/^Pending: /);
    },
    async "human.ticket: if the client's limit comes first, the call returns a sentence, and get_answer returns the reply itself"(harness) {
      const connection = await harness.connect({ ...settings, maxWait: 1 });
      const call = ask(connection, "Blue or green?");
      const { id } = await connection.nextSession();
      await harness.letPass(1_000);
      const ticket = await call;
      expect(ticket).toMatchObject({ isError: false, structuredContent: undefined });
      expect(ticket.text).toMatch(new RegExp(`^Pending: .* sessionId ${id}: call get_answer`));
      await replyTo(connection, id, "Green.");
      expect(await connection.agent.callTool("get_answer", { sessionId: id })).toMatchObject({ isError: false, texts: ["Green."] });
    },
    async "human.ticket-by-agent: get_answer without a sessionId finds the agent's question by its agent_id"(harness) {
      const connection = await harness.connect({ ...settings, maxWait: 1 });
      const call = ask(connection, "Blue or green?");
      const { id } = await connection.nextSession();
      await harness.letPass(1_000);
      await call;
      const waiting = connection.agent.callTool("get_answer", { agent_id: "abc-123" });
      await eventually(async () => (await connection.desk.get(id)).presence.asker === "attached" || undefined, "it waits");
      await replyTo(connection, id, "Green.");
      expect((await waiting).text).toBe("Green.");
      expect((await connection.agent.callTool("get_answer", { agent_id: "other" })).isError).toBe(true);
    },
  }),
];
