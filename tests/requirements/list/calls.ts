import { expect } from "vitest";
import { answerNext, define, eventually, type Progress, type Requirement } from "../requirement.ts";

const input = { questions: [{ id: "a", question: "Shall we?" }] };
const yes = { answers: [{ questionId: "a", values: ["yes"] }] };

export const callRequirements: readonly Requirement[] = [
  ...define({
    async "call.heartbeat-at-once: progress arrives at once and says how to answer"(harness) {
      const connection = await harness.connect();
      const received: Progress[] = [];
      const call = connection.agent.callTool("ask_user", input, { onProgress: (progress) => received.push(progress) });
      const { id } = await connection.nextSession();
      await eventually(
        async () => received.find(({ message }) => message?.includes(`askbox answer ${id.slice(0, 8)}`)),
        "progress says how to answer",
      );
      await connection.desk.answer(id, yes);
      await call;
      const numbers = received.map(({ progress }) => progress);
      expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other));
    },
  }),
  ...define.inFakeTime({
    async "call.heartbeat: progress arrives at least every 15 s while a call lasts, and not afterwards"(harness) {
      const connection = await harness.connect({ clientName: "opencode" });
      const received: Progress[] = [];
      const call = connection.agent.callTool(
        "ask_user",
        { ...input, timeout: 1_800_000 },
        { onProgress: (progress) => received.push(progress) },
      );
      const { id } = await connection.nextSession();
      for (let passed = 0; passed < 1_200; passed += 15) {
        const before = received.length;
        await harness.letPass(15_000);
        expect(received.length).toBeGreaterThan(before);
      }
      await connection.desk.answer(id, yes);
      expect((await call).structuredContent).toMatchObject({ answered: true });
      const after = received.length;
      await harness.letPass(60_000);
      expect(received).toHaveLength(after);
    },
    async "call.limits: each client's call returns with a ticket before the client times out"(harness) {
      const limits = [
        ["claude-code", 110_000],
        ["codex-mcp-client", 290_000],
        ["gemini-cli-mcp-client", 590_000],
        ["some-client", 50_000],
      ] as const;
      for (const [clientName, limit] of limits) {
        const { agent, nextSession } = await harness.connect({ clientName });
        let back = false;
        const call = agent.callTool("ask_user", { ...input, timeout: 1_800_000 }).finally(() => {
          back = true;
        });
        await nextSession();
        await harness.letPass(limit - 1_000);
        expect(back, clientName).toBe(false);
        await harness.letPass(1_000);
        expect((await call).structuredContent, clientName).toMatchObject({ pending: true });
      }
    },
  }),
  ...define({
    async "call.cancelled-keeps: a cancelled call leaves its questions open, and asking again joins them"(harness) {
      const connection = await harness.connect();
      const stop = new AbortController();
      const call = connection.agent.callTool("ask_user", input, { signal: stop.signal });
      const { id } = await connection.nextSession();
      await attached(connection, id);
      stop.abort();
      await expect(call).rejects.toThrow();
      await away(connection, id);
      const again = connection.agent.callTool("ask_user", input);
      await attached(connection, id);
      await connection.desk.answer(id, yes);
      const { structuredContent } = await again;
      expect(structuredContent).toMatchObject({ answered: true, sessionId: id });
      expect(structuredContent).not.toHaveProperty("late");
    },
    async "call.cancelled-late: an answer to a cancelled call is returned to the same ask at once, marked late"(harness) {
      const connection = await harness.connect();
      const stop = new AbortController();
      const call = connection.agent.callTool("ask_user", input, { signal: stop.signal });
      const { id } = await connection.nextSession();
      await attached(connection, id);
      stop.abort();
      await expect(call).rejects.toThrow();
      await away(connection, id);
      await connection.desk.answer(id, yes);
      const { structuredContent } = await connection.agent.callTool("ask_user", input);
      expect(structuredContent).toMatchObject({ answered: true, sessionId: id, late: true, answers: yes.answers });
    },
    async "call.cancelled-withdraws: with on-cancel withdraw, a cancelled call withdraws its questions"(harness) {
      const connection = await harness.connect({ onCancel: "withdraw" });
      const stop = new AbortController();
      const call = connection.agent.callTool("ask_user", input, { signal: stop.signal });
      const { id } = await connection.nextSession();
      await attached(connection, id);
      stop.abort();
      await expect(call).rejects.toThrow();
      await eventually(async () => (await connection.desk.get(id)).status === "cancelled" || undefined, "the session is cancelled");
    },
    async "call.hung-up: a client that disconnects leaves its questions open, and its answer waits for the next connection"(harness) {
      const connection = await harness.connect();
      const call = connection.agent.callTool("ask_user", input);
      const { id } = await connection.nextSession();
      await attached(connection, id);
      const ended = expect(call).rejects.toThrow();
      await connection.agent.close();
      await ended;
      // A hub keeps the call for as long as its client could resume it.
      await eventually(async () => {
        await harness.letPass(200);
        return (await connection.desk.get(id)).presence.asker === "away" || undefined;
      }, "the asker is away");
      await connection.desk.answer(id, yes);
      const next = await connection.another();
      expect((await next.callTool("get_answer", {})).structuredContent).toMatchObject({
        answered: false,
        earlier: [{ sessionId: id, answered: true, answers: yes.answers }],
      });
    },
    async "call.after-another: a server continues to work after cancelled and rejected calls"(harness) {
      const connection = await harness.connect();
      await connection.agent.callTool("ask_user", {});
      await expect(connection.agent.callTool("ask_user", input, { signal: AbortSignal.abort() })).rejects.toThrow();
      const call = connection.agent.callTool("ask_user", { questions: [{ id: "a", question: "And now?" }] });
      await answerNext(connection, () => yes);
      expect((await call).structuredContent).toMatchObject({ answered: true });
    },
  }),
];

type Connected = Parameters<typeof answerNext>[0];

const attached = ({ desk }: Connected, id: string) =>
  eventually(async () => (await desk.get(id)).presence.asker === "attached" || undefined, "the asker waits");

const away = ({ desk }: Connected, id: string) =>
  eventually(async () => (await desk.get(id)).presence.asker === "away" || undefined, "the asker is away");
