import { expect } from "vitest";
import { answerNext, define, fourFields, type Requirement } from "../requirement.ts";

const nothingYet = { answered: false, cancelled: false, timedOut: false, answers: [] };
const question = (id: string) => ({ questions: [{ id, question: `${id}?` }] });
const yes = (questionId: string) => ({ answers: [{ questionId, values: ["yes"] }] });

export const ticketRequirements: readonly Requirement[] = [
  ...define({
    async "ticket.given: a call that must return has a ticket in both fields, and the session stays open"(harness) {
      const { agent, desk, nextSession } = await harness.connect({ maxWait: 1 });
      const call = agent.callTool("ask_user", question("a"));
      const { id } = await nextSession();
      await harness.letPass(1_000);
      const result = await call;
      expect(result.isError).toBe(false);
      expect(result.structuredContent).toEqual({
        ...nothingYet,
        pending: true,
        sessionId: id,
        next: expect.stringContaining(`get_answer with sessionId ${id} to keep waiting`),
      });
      expect(JSON.parse(result.text)).toEqual(result.structuredContent);
      expect(await desk.get(id)).toMatchObject({ status: "pending", presence: { asker: "will_ask_again" } });
    },
    async "ticket.redeemed: get_answer continues to wait for its session and returns the answer"(harness) {
      const { agent, desk, nextSession } = await harness.connect({ maxWait: 1 });
      const call = agent.callTool("ask_user", question("a"));
      const { id } = await nextSession();
      await harness.letPass(1_000);
      await call;
      const waiting = agent.callTool("get_answer", { sessionId: id });
      await desk.answer(id, yes("a"));
      expect(fourFields(await waiting)).toEqual({ ...nothingYet, answered: true, answers: [{ questionId: "a", values: ["yes"] }] });
    },
    async "ticket.again: get_answer returns a ticket again when its own wait is over, and at once with wait 0"(harness) {
      const { agent, nextSession } = await harness.connect({ maxWait: 1 });
      const call = agent.callTool("ask_user", question("a"));
      const { id } = await nextSession();
      await harness.letPass(1_000);
      await call;
      const again = agent.callTool("get_answer", { sessionId: id, wait: 1_800_000 });
      await harness.letPass(1_000);
      expect((await again).structuredContent).toEqual({
        ...nothingYet,
        pending: true,
        sessionId: id,
        next: expect.stringContaining(`get_answer with sessionId ${id} to keep waiting`),
      });
      const look = agent.callTool("get_answer", { sessionId: id, wait: 0 });
      await harness.letPass(0);
      expect((await look).structuredContent).toEqual({
        ...nothingYet,
        pending: true,
        sessionId: id,
        next: expect.stringContaining(`get_answer with sessionId ${id} to keep waiting`),
      });
    },
    async "ticket.latest: get_answer without an id waits for the latest question"(harness) {
      const connection = await harness.connect({ maxWait: 1 });
      const { agent, desk, nextSession } = connection;
      const ids: string[] = [];
      for (const name of ["a", "b"]) {
        const call = agent.callTool("ask_user", question(name));
        ids.push((await nextSession()).id);
        await harness.letPass(1_000);
        await call;
      }
      const waiting = agent.callTool("get_answer", {});
      await desk.answer(ids[1] ?? "", yes("b"));
      expect((await waiting).structuredContent).toMatchObject({ answered: true, sessionId: ids[1] });
    },
    // promise: answer-waits-for-agent
    async "ticket.undelivered-at-once: get_answer without an id returns an answer given in the meantime, at once"(harness) {
      const { agent, desk, nextSession } = await harness.connect({ maxWait: 1 });
      const ids: string[] = [];
      for (const name of ["a", "b"]) {
        const call = agent.callTool("ask_user", question(name));
        ids.push((await nextSession()).id);
        await harness.letPass(1_000);
        await call;
      }
      await desk.answer(ids[0] ?? "", yes("a"));
      const { structuredContent } = await agent.callTool("get_answer", {});
      expect(structuredContent).toMatchObject({
        ...nothingYet,
        pending: true,
        sessionId: ids[1],
        earlier: [{ answered: true, sessionId: ids[0], questions: [{ id: "a", question: "a?" }] }],
      });
    },
    async "ticket.nothing: get_answer says so if nothing is open and nothing is undelivered"(harness) {
      const { agent } = await harness.connect();
      const result = await agent.callTool("get_answer", undefined);
      expect(result).toMatchObject({ isError: true, structuredContent: undefined });
      expect(result.text).toContain("ask_user");
    },
    async "ticket.refused: get_answer rejects an invalid wait and an unknown session with a sentence"(harness) {
      const { agent } = await harness.connect();
      expect(await agent.callTool("get_answer", { wait: -1 })).toMatchObject({
        isError: true,
        text: "Validation error: wait must be a whole number of milliseconds from 0 to 1800000",
      });
      const unknown = await agent.callTool("get_answer", { sessionId: "0000000000000000000000000z" });
      expect(unknown.isError).toBe(true);
      expect(unknown.text).toMatch(/^Failed: .*Ask again with ask_user\.$/);
    },
    // promise: answer-waits-for-agent
    async "ticket.earlier: an answer given while nobody waited comes along with the next result, once"(harness) {
      const connection = await harness.connect({ maxWait: 1 });
      const { agent, desk, nextSession } = connection;
      const call = agent.callTool("ask_user", question("a"));
      const { id } = await nextSession();
      await harness.letPass(1_000);
      await call;
      await desk.answer(id, yes("a"));
      const next = agent.callTool("ask_user", question("b"));
      await answerNext(connection, () => yes("b"));
      expect((await next).structuredContent).toMatchObject({ answered: true, earlier: [{ sessionId: id, answered: true }] });
      const third = agent.callTool("ask_user", question("c"));
      await answerNext(connection, () => yes("c"));
      expect((await third).structuredContent).not.toHaveProperty("earlier");
    },
  }),
];
