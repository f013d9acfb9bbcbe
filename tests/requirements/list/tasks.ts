import { expect } from "vitest";
import { type Connection, define, eventually, type RawAgent, type RawNotification, type Requirement } from "../requirement.ts";

const ask = { name: "ask_user", arguments: { questions: [{ id: "a", question: "Shall we?" }], timeout: 60_000 } };
const yes = { answers: [{ questionId: "a", values: ["yes"] }] };
const day = 86_400_000;

/** Asks, and returns the task's handle. */
async function begin({ raw, nextSession }: Pick<Connection, "raw" | "nextSession">) {
  const agent = await raw();
  const asked = agent.request("tools/call", ask);
  const session = await nextSession();
  const { result } = await asked;
  return { agent, session, handle: result ?? {}, taskId: String(result?.["taskId"]) };
}

const get = async (agent: RawAgent, taskId: string) => (await agent.request("tasks/get", { taskId })).result ?? {};

export const taskRequirements: readonly Requirement[] = [
  ...define.raw({
    async "task.begun: a question of a client that supports tasks becomes one at once, and says how to answer"(harness) {
      const connection = await harness.connect();
      const { agent, session, handle, taskId } = await begin(connection);
      const facts = {
        taskId,
        status: "working",
        statusMessage: expect.stringContaining(`askbox answer ${session.id.slice(0, 8)}`),
        createdAt: new Date(session.createdAt).toISOString(),
        lastUpdatedAt: new Date(session.createdAt).toISOString(),
        ttlMs: 60_000 + day,
        pollIntervalMs: 1_000,
      };
      expect(handle).toEqual({ resultType: "task", ...facts, _meta: expect.anything() });
      expect(taskId).toMatch(new RegExp(`^${session.id}[.]`));
      expect(await get(agent, taskId)).toEqual({ resultType: "complete", ...facts, _meta: expect.anything() });
      expect(await connection.desk.get(session.id)).toMatchObject({ status: "pending", presence: { asker: "will_ask_again" } });
    },
    async "task.answered: a task returns the tool's own result once it is answered, repeatedly, and the first counts as delivery"(harness) {
      const connection = await harness.connect();
      const { agent, session, taskId } = await begin(connection);
      const answered = await connection.desk.answer(session.id, yes);
      expect(answered.delivery.deliveredAt).toBeNull();
      const task = await get(agent, taskId);
      expect(task).toMatchObject({
        status: "completed",
        lastUpdatedAt: new Date(answered.closedAt ?? 0).toISOString(),
        result: { resultType: "complete", structuredContent: { answered: true, answers: yes.answers, sessionId: session.id } },
      });
      const { content, structuredContent } = task["result"] as { content: { text: string }[]; structuredContent: unknown };
      expect(JSON.parse(content[0]?.text ?? "")).toEqual(structuredContent);
      const delivery = async () => (await connection.desk.get(session.id)).delivery.deliveredAt ?? undefined;
      await eventually(delivery, "the answer counts as delivered");
      expect((await get(agent, taskId))["result"]).toEqual(task["result"]);
    },
    async "task.there-already: an answer given while nobody polled is the result of the same ask at once, without a task"(harness) {
      const connection = await harness.connect();
      const { agent, session } = await begin(connection);
      await connection.desk.answer(session.id, yes);
      const { result } = await agent.request("tools/call", ask);
      expect(result).toMatchObject({
        resultType: "complete",
        structuredContent: { answered: true, late: true, answers: yes.answers, sessionId: session.id },
      });
    },
    async "task.kept: a task that nobody fetched keeps its answer for another agent, and still exists"(harness) {
      const connection = await harness.connect();
      const { agent, session, taskId } = await begin(connection);
      await agent.close();
      await connection.desk.answer(session.id, yes);
      const { structuredContent } = await connection.agent.callTool("get_answer", {});
      expect(structuredContent).toMatchObject({ earlier: [{ sessionId: session.id, answered: true }] });
      expect(await get(await connection.raw(), taskId)).toMatchObject({ status: "completed" });
    },
    async "task.refused: declining completes a task; it is not a cancellation by the agent"(harness) {
      const connection = await harness.connect();
      const { agent, session, taskId } = await begin(connection);
      await connection.desk.cancel(session.id, { reason: "not now" });
      const structuredContent = { cancelled: true, reason: "not now" };
      expect(await get(agent, taskId)).toMatchObject({ status: "completed", result: { structuredContent } });
    },
  }),
  ...define.rawInFakeTime({
    async "task.timed-out: a task that nobody answers in time completes and says so; the poll interval grows after a minute"(harness) {
      const connection = await harness.connect();
      const { agent, taskId } = await begin(connection);
      await harness.letPass(30_000);
      expect(await get(agent, taskId)).toMatchObject({ status: "working", pollIntervalMs: 1_000 });
      await harness.letPass(30_000);
      const structuredContent = { answered: false, timedOut: true, seen: false };
      expect(await get(agent, taskId)).toMatchObject({ status: "completed", pollIntervalMs: 5_000, result: { structuredContent } });
    },
  }),
  ...define.raw({
    async "task.cancelled: tasks/cancel withdraws the questions, and does not change a task that has ended"(harness) {
      const connection = await harness.connect();
      const { agent, session, taskId } = await begin(connection);
      expect((await agent.request("tasks/cancel", { taskId })).result).toEqual({ resultType: "complete", _meta: expect.anything() });
      expect(await connection.desk.get(session.id)).toMatchObject({ status: "cancelled", outcome: { by: { surface: "asker" } } });
      const cancelled = await get(agent, taskId);
      expect(cancelled).toMatchObject({ status: "cancelled" });
      expect(cancelled).not.toHaveProperty("result");
      const second = await begin(connection);
      await connection.desk.answer(second.session.id, yes);
      expect((await second.agent.request("tasks/cancel", { taskId: second.taskId })).error).toBeUndefined();
      expect(await get(second.agent, second.taskId)).toMatchObject({ status: "completed" });
    },
    async "task.updated: tasks/update is accepted but answers nothing: only a person answers"(harness) {
      const connection = await harness.connect();
      const { agent, session, taskId } = await begin(connection);
      const inputResponses = { a: { action: "accept", content: { a: "yes" } } };
      expect((await agent.request("tasks/update", { taskId, inputResponses })).result).toMatchObject({ resultType: "complete" });
      expect((await connection.desk.get(session.id)).status).toBe("pending");
      expect((await agent.request("tasks/update", { taskId })).error?.code).toBe(-32_602);
    },
    async "task.undeclared: the calls of a client that does not declare tasks are answered as usual, and tasks/get tells it what is required"(
      harness,
    ) {
      const connection = await harness.connect();
      const agent = await connection.raw();
      const asked = agent.request("tools/call", ask, { takesTasks: false });
      const { id } = await connection.nextSession();
      const { error } = await agent.request("tasks/get", { taskId: `${id}.ask_user` }, { takesTasks: false });
      expect(error).toMatchObject({
        code: -32_021,
        data: { requiredCapabilities: { extensions: { "io.modelcontextprotocol/tasks": {} } } },
      });
      await connection.desk.answer(id, yes);
      expect((await asked).result).toMatchObject({ resultType: "complete", structuredContent: { answered: true } });
    },
    async "task.listened-undeclared: a client that does not declare tasks cannot listen for them"(harness) {
      const { raw } = await harness.connect();
      const agent = await raw();
      await agent.request("tools/list", {});
      const notifications = { taskIds: ["0000000000000000000000000z.ask_user"] };
      const { error } = await agent.request("subscriptions/listen", { notifications }, { takesTasks: false });
      expect(error?.code).toBe(-32_021);
    },
    async "task.listened: who listens for a task is told its result once it is answered, which counts as delivery, and waits until then"(
      harness,
    ) {
      const connection = await harness.connect();
      const { agent, session, taskId } = await begin(connection);
      const heard: RawNotification[] = [];
      const listening = agent.request("subscriptions/listen", { notifications: { taskIds: [taskId, "nonesuch"] } }, { heard });
      const waits = async () => (await connection.desk.get(session.id)).presence.asker === "attached" || undefined;
      await eventually(waits, "it waits");
      await connection.desk.answer(session.id, yes);
      const { result } = await listening;
      const subscription = "io.modelcontextprotocol/subscriptionId";
      const id = (Object(result)["_meta"] as Record<string, unknown>)[subscription];
      expect(heard).toMatchObject([
        {
          method: "notifications/subscriptions/acknowledged",
          params: { notifications: { taskIds: [taskId] }, _meta: { [subscription]: id } },
        },
        {
          method: "notifications/tasks",
          params: {
            taskId,
            status: "completed",
            result: { structuredContent: { answered: true, answers: yes.answers } },
            _meta: { [subscription]: id },
          },
        },
      ]);
      const delivery = async () => (await connection.desk.get(session.id)).delivery.deliveredAt ?? undefined;
      await eventually(delivery, "the answer counts as delivered");
    },
    async "task.unknown: an unknown task and invalid input are rejected at once"(harness) {
      const { raw } = await harness.connect();
      const agent = await raw();
      const ids = ["nonesuch", "0000000000000000000000000z.ask_user", "0000000000000000000000000z.get_answer", ""];
      for (const taskId of ids) {
        for (const method of ["tasks/get", "tasks/cancel"]) {
          expect((await agent.request(method, { taskId })).error?.code, `${method} ${taskId}`).toBe(-32_602);
        }
      }
      const { result } = await agent.request("tools/call", { name: "ask_user", arguments: { questions: [] } });
      expect(result).toMatchObject({ resultType: "complete", isError: true });
    },
    async "task.advertised: tasks are advertised as an extension, not as the older experiment"(harness) {
      const { raw } = await harness.connect();
      const { result } = await (await raw()).request("server/discover", {});
      const capabilities = result?.["capabilities"] as Record<string, unknown>;
      expect(capabilities).toMatchObject({ extensions: { "io.modelcontextprotocol/tasks": {} } });
      expect(capabilities).not.toHaveProperty("tasks");
    },
  }),
];
