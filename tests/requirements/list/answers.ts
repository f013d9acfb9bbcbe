import { expect } from "vitest";
import { answerNext, define, eventually, fourFields, type Requirement } from "../requirement.ts";

const colours = { id: "c", question: "Which colour?", options: ["red", "green", "blue"] };

export const answerRequirements: readonly Requirement[] = [
  ...define({
    async "answer.other-alone: Other alone is customText with empty values, and satisfies required"(harness) {
      const connection = await harness.connect();
      const call = connection.agent.callTool("ask_user", { questions: [{ ...colours, type: "select" }] });
      await answerNext(connection, () => ({ answers: [{ questionId: "c", values: [], customText: "teal" }] }));
      expect((await call).structuredContent).toMatchObject({
        answered: true,
        answers: [{ questionId: "c", values: [], customText: "teal" }],
      });
    },
    async "answer.other-beside: Other together with selected values keeps both"(harness) {
      const connection = await harness.connect();
      const call = connection.agent.callTool("ask_user", { questions: [{ ...colours, type: "multi-select" }] });
      const answer = { questionId: "c", values: ["red", "blue"], customText: "teal", note: "not too bright" };
      await answerNext(connection, () => ({ answers: [answer], comment: "good luck" }));
      expect((await call).structuredContent).toMatchObject({ answers: [answer], comment: "good luck" });
    },
    async "answer.more-types: numbers, dates, formats, limits and suggestions are accepted, though the published schema has only the contract's"(
      harness,
    ) {
      const connection = await harness.connect();
      const questions = [
        { id: "n", question: "How many?", type: "number", min: "1", max: 8, integer: true, unit: "cores", suggestion: 4 },
        { id: "d", question: "When?", type: "date", min: "2026-01-01" },
        { id: "m", question: "Whom?", format: "email" },
        { id: "o", question: "Which?", type: "multi-select", options: ["a", "b", "c"], minChoices: 2 },
      ];
      const call = connection.agent.callTool("ask_user", { questions });
      const session = await answerNext(connection, () => ({
        answers: [
          { questionId: "n", values: ["04"] },
          { questionId: "d", values: ["2026-03-05"] },
          { questionId: "m", values: [" ada@example.com "] },
          { questionId: "o", values: ["a", "c"] },
        ],
      }));
      expect(session.questions[0]).toEqual({
        id: "n",
        question: "How many?",
        type: "number",
        required: true,
        min: 1,
        max: 8,
        integer: true,
        unit: "cores",
        suggestion: "4",
      });
      expect(fourFields(await call)["answers"]).toEqual([
        { questionId: "n", values: ["4"] },
        { questionId: "d", values: ["2026-03-05"] },
        { questionId: "m", values: ["ada@example.com"] },
        { questionId: "o", values: ["a", "c"] },
      ]);
    },
    async "answer.skipped: a skipped optional question is answered with empty values, in the questions' order"(harness) {
      const connection = await harness.connect();
      const questions = [
        { id: "a", question: "A?", required: false },
        { id: "b", question: "B?" },
      ];
      const call = connection.agent.callTool("ask_user", { questions });
      await answerNext(connection, () => ({ answers: [{ questionId: "b", values: ["b"] }] }));
      expect(fourFields(await call)["answers"]).toEqual([
        { questionId: "a", values: [] },
        { questionId: "b", values: ["b"] },
      ]);
    },
    // promise: ask-user-limits
    async "answer.both-fields: the text is the JSON of exactly the structured content, and says who answered"(harness) {
      const connection = await harness.connect();
      const call = connection.agent.callTool("ask_user", { questions: [{ id: "a", question: "A?" }] });
      const session = await answerNext(connection, () => ({ answers: [{ questionId: "a", values: ["\u001b[31mß\u0000\u202e"] }] }));
      const { text, structuredContent } = await call;
      expect(JSON.parse(text)).toEqual(structuredContent);
      expect(structuredContent).toEqual({
        answered: true,
        cancelled: false,
        timedOut: false,
        answers: [{ questionId: "a", values: ["\u001b[31mß\u0000\u202e"] }],
        sessionId: session.id,
        answeredBy: { surface: "cli", name: "ada" },
      });
    },
    // promise: delivered-means-written
    async "answer.delivered: an outcome counts as delivered once its result is written"(harness) {
      const connection = await harness.connect();
      const call = connection.agent.callTool("ask_user", { questions: [{ id: "a", question: "A?" }] });
      const { id } = await answerNext(connection, () => ({ answers: [{ questionId: "a", values: ["x"] }] }));
      await call;
      const delivery = await eventually(async () => {
        const view = await connection.desk.get(id);
        return view.delivery.deliveredAt === null ? undefined : view.delivery;
      }, "the outcome is delivered");
      expect(delivery.callId).toEqual(expect.any(String));
      const again = connection.agent.callTool("ask_user", { questions: [{ id: "b", question: "B?" }] });
      await answerNext(connection, () => ({ answers: [{ questionId: "b", values: ["y"] }] }));
      expect((await again).structuredContent).not.toHaveProperty("earlier");
    },
    // promise: inbox-shows-who-asks
    async "answer.asker: the person sees which client asks, and in which project"(harness) {
      const connection = await harness.connect({ clientName: "codex-mcp-client" });
      const call = connection.agent.callTool("ask_user", { questions: [{ question: "A?" }] });
      const { asker, id } = await connection.nextSession();
      expect(asker).toMatchObject({ client: { name: "codex-mcp-client", version: "1.2.3" }, project: expect.stringMatching(/\w/) });
      await connection.desk.cancel(id);
      await call;
    },
    async "answer.at-once: several calls at once each get their own answer"(harness) {
      const connection = await harness.connect();
      const names = ["a", "b", "c", "d", "e"];
      const calls = names.map((name) => connection.agent.callTool("ask_user", { questions: [{ id: name, question: `${name}?` }] }));
      for (const _ of names) {
        await answerNext(connection, ({ questions }) => ({ answers: questions.map(({ id }) => ({ questionId: id, values: [`${id}!`] })) }));
      }
      for (const [index, name] of names.entries()) {
        expect((await calls[index])?.structuredContent).toMatchObject({ answers: [{ questionId: name, values: [`${name}!`] }] });
      }
    },
  }),
];
