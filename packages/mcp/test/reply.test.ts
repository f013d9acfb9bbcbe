import { askResultSchema } from "@askbox/core";
import { expect, test } from "vitest";
import { connected } from "./connected.ts";

const input = { questions: [{ id: "a", question: "Shall we?" }], timeout: 10_000 };
const words = { answers: [{ questionId: "a", values: ["yes, do"] }], comment: "sorry, lunch" };

test.each([
  ["by its id", (sessionId: string) => ({ sessionId })],
  ["without an id", () => ({})],
])("get_answer %s brings the words that came after the deadline", async (_how, argumentsFor) => {
  const { client, connect, desk, platform } = await connected({ maxWait: 1_000 });
  await connect();
  const asking = client.callTool({ name: "ask_user", arguments: input });
  await platform.clock.advance(1_000);
  const { pending, sessionId = "" } = askResultSchema.parse((await asking).structuredContent);
  expect(pending).toBe(true);
  await platform.clock.advance(10_000);
  await desk.reply(sessionId, words);

  const result = await client.callTool({ name: "get_answer", arguments: argumentsFor(sessionId) });
  expect(result.structuredContent).toMatchObject({
    timedOut: true,
    answers: [],
    earlier: [{ sessionId, repliedAfterTimeout: true, ...words }],
  });
  const again = await client.callTool({ name: "get_answer", arguments: {} });
  expect(again.isError, "once given, it is not given again").toBe(true);
});
