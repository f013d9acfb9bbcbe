import { expect } from "vitest";
import { answeredExamples, cancelledExample, generatedId, timeoutExample } from "../contract.ts";
import { answerNext, define, fourFields, type Requirement } from "../requirement.ts";

const answered: readonly Requirement[] = answeredExamples.map(({ title, input, values }) => ({
  id: `example.${title.replaceAll(/\W+/g, "-")}`,
  sentence: `example ${title}: the four fields are the contract's`,
  async run(harness) {
    const connection = await harness.connect();
    const call = connection.agent.callTool("ask_user", input);
    const session = await answerNext(connection, ({ questions }) => ({
      answers: questions.map(({ id }, index) => ({ questionId: id, values: values[index] ?? [] })),
    }));
    const result = await call;
    expect(result.isError).toBe(false);
    expect(fourFields(result)).toEqual({
      answered: true,
      cancelled: false,
      timedOut: false,
      answers: values.map((value, index) => ({ questionId: session.questions[index]?.id, values: value })),
    });
    for (const [index, { id }] of session.questions.entries()) {
      const ownId = input.questions[index]?.id;
      if (ownId === undefined) expect(id).toMatch(generatedId);
      else expect(id).toBe(ownId);
    }
  },
}));

export const exampleRequirements: readonly Requirement[] = [
  ...answered,
  ...define({
    async "example.5-user-cancels: example 5, user cancels: the four fields are the contract's, and the reason comes along"(harness) {
      const connection = await harness.connect();
      const call = connection.agent.callTool("ask_user", cancelledExample);
      const session = await connection.nextSession();
      expect(session.questions).toMatchObject([{ type: "text", required: true }]);
      await connection.desk.cancel(session.id, { reason: "none for now" });
      const result = await call;
      expect(fourFields(result)).toEqual({ answered: false, cancelled: true, timedOut: false, answers: [] });
      expect(result.structuredContent).toMatchObject({ reason: "none for now", sessionId: session.id });
    },
    // promise: timeout-says-if-seen
    async "example.6-timeout: example 6, timeout: the four fields are the contract's, and the result says whether anybody saw the question"(
      harness,
    ) {
      const connection = await harness.connect();
      const timeout = harness.fakeTime ? timeoutExample.timeout : 10_000;
      const call = connection.agent.callTool("ask_user", { ...timeoutExample, timeout });
      await connection.nextSession();
      await harness.letPass(timeout);
      const result = await call;
      expect(fourFields(result)).toEqual({ answered: false, cancelled: false, timedOut: true, answers: [] });
      expect(result.structuredContent).toMatchObject({ seen: false });
    },
  }),
];
