import { askResultSchema } from "@askbox/core/schemas";
import { expect, test } from "vitest";
import { connected } from "./connected.ts";

const input = { questions: [{ id: "a", question: "Shall we?" }], timeout: 10_000 };
const words = { answers: [{ questionId: "a", values: ["yes, do"] }], comment: "sorry, lunch" };

test.each([
  ["by its id", (sessionId: string) => ({ sessionId })],
  ["without an id", () => ({})],
])("get_answer %s returns a reply after the deadline", async (_how, argumentsFor) => {
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

test("a message without a question comes with the next call, apart from the outcome that was received before", async () => {
  const { client, connect, desk, platform } = await connected({ maxWait: 1_000 });
  await connect();
  const call = async (args = input) => {
    const asking = client.callTool({ name: "ask_user", arguments: args });
    await platform.clock.advance(1_000);
    return askResultSchema.parse((await asking).structuredContent);
  };
  const { sessionId = "" } = await call();
  await desk.answer(sessionId, words);
  await client.callTool({ name: "get_answer", arguments: { sessionId } });
  await desk.message(sessionId, "Also update the docs.");
  const { earlier } = await call({ ...input, questions: [{ id: "a", question: "And now?" }] });
  expect(earlier).toMatchObject([{ sessionId, received: true, messages: [{ text: "Also update the docs." }] }]);
});

test("a ticket's text is the whole result, and then a sentence that says what to call next", async () => {
  const { client, connect, platform } = await connected({ maxWait: 1_000 });
  await connect();
  const asking = client.callTool({ name: "ask_user", arguments: input });
  await platform.clock.advance(1_000);
  const { content, structuredContent } = await asking;
  const [whole, sentence, ...more] = (content as { text: string }[]).map(({ text }) => text);
  const { sessionId } = askResultSchema.parse(structuredContent);
  expect(JSON.parse(whole ?? "")).toEqual(structuredContent);
  expect(sentence).toBe(
    `Pending: the person has not answered yet, and this is not an answer. The question stays open under sessionId ${sessionId}: call get_answer with it to keep waiting, or without that tool ask exactly the same again.`,
  );
  expect(more).toEqual([]);
});

test("the first ticket has the server's hint in all that a client may read, and no later one has it", async () => {
  const { client, connect, platform } = await connected({ maxWait: 1_000, ticketHint: (name) => `A hint for ${name}.` });
  await connect();
  const ticket = async (question: string) => {
    const asking = client.callTool({ name: "ask_user", arguments: { questions: [{ id: "a", question }] } });
    await platform.clock.advance(1_000);
    const { content, structuredContent } = await asking;
    return { texts: (content as { text: string }[]).map(({ text }) => text), fields: structuredContent as { next: string } };
  };
  const hint = "A hint for some-client.";
  const { texts, fields } = await ticket("First?");
  expect(texts.at(-1)).toBe(hint);
  expect(fields.next.endsWith(` ${hint}`)).toBe(true);
  expect(JSON.parse(texts[0] ?? "")).toEqual(fields);
  expect(JSON.stringify(await ticket("Second?"))).not.toContain(hint);
});

test("what a person asked back comes again with each result until the agent replies to it", async () => {
  const { client, connect, desk, platform } = await connected({ maxWait: 1_000 });
  await connect();
  const call = async (name: string, args: Record<string, unknown>) => {
    const calling = client.callTool({ name, arguments: args });
    await platform.clock.advance(1_000);
    return (await calling).structuredContent as Record<string, unknown> & { earlier?: Record<string, unknown>[] };
  };
  const { sessionId } = await call("ask_user", input);
  await desk.askBack(String(sessionId), { text: "Why?" });
  const mine = { pending: true, sessionId, askedBack: [{ text: "Why?" }], next: expect.stringContaining("your reply") };
  expect(await call("get_answer", { sessionId })).toMatchObject(mine);
  for (const id of ["b", "c"]) {
    const { earlier, ...own } = await call("ask_user", { questions: [{ id, question: `${id}?` }] });
    expect(own).toMatchObject({
      pending: true,
      next: expect.stringContaining("to keep waiting, or without that tool ask exactly the same again."),
    });
    expect(earlier, "ignored so far").toMatchObject([{ ...mine, questions: [{ id: "a" }] }]);
    expect(earlier).toHaveLength(1);
  }
  expect(await call("get_answer", { sessionId }), "and waiting again does not hide it").toMatchObject(mine);
  const replied = await call("get_answer", { sessionId, reply: "So." });
  expect([replied["askedBack"], replied.earlier]).toEqual([undefined, undefined]);
  expect(await call("ask_user", { questions: [{ id: "d", question: "d?" }] })).not.toHaveProperty("earlier");
});

test("what a person asked back is forgotten when they answer all the same", async () => {
  const { client, connect, desk, platform } = await connected({ maxWait: 1_000 });
  await connect();
  const call = async (name: string, args: Record<string, unknown>) => {
    const calling = client.callTool({ name, arguments: args });
    await platform.clock.advance(1_000);
    return (await calling).structuredContent as Record<string, unknown>;
  };
  const { sessionId } = await call("ask_user", input);
  await desk.askBack(String(sessionId), { text: "Why?" });
  await call("get_answer", { sessionId });
  await desk.answer(String(sessionId), { answers: words.answers });
  const other = { questions: [{ id: "b", question: "b?" }] };
  expect(await call("ask_user", other)).toMatchObject({ earlier: [{ answered: true, answers: words.answers }] });
  expect(await call("get_answer", {}), "once").not.toHaveProperty("earlier");
});

test("an unlisted client that wants progress gets longer calls, until it cancels one", async () => {
  const { client, connect, platform, server } = await connected();
  await connect();
  const ask = (question: string, signal?: AbortSignal) =>
    client.callTool(
      { name: "ask_user", arguments: { questions: [{ id: "a", question }], timeout: 600_000 } },
      { onprogress: () => {}, timeout: 600_000, signal },
    );
  const ticketed = async (call: ReturnType<typeof ask>, after: number) => {
    let isBack = false;
    const over = () => {
      isBack = true;
    };
    call.then(over, over);
    await platform.clock.advance(after - 1_000);
    expect(isBack, "before its time").toBe(false);
    await platform.clock.advance(1_000);
    expect((await call).structuredContent).toMatchObject({ pending: true });
  };
  await ticketed(ask("First?"), 110_000);
  const stop = new AbortController();
  const cancelled = ask("Second?", stop.signal);
  cancelled.catch(() => {});
  await platform.clock.advance(60_000);
  stop.abort();
  await expect(cancelled).rejects.toThrow();
  await server.whenIdle();
  await ticketed(ask("Third?"), 50_000);
});
