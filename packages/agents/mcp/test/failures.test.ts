import { AskboxError, type Asker } from "@askbox/core";
import { describe, expect, test } from "vitest";
import { untilHolds as until } from "../../../../tests/support/until.ts";
import type { Caller } from "../src/index.ts";
import { connected, textOf } from "./connected.ts";

const input = { questions: [{ id: "a", question: "Shall we?" }] };
const noHub = new AskboxError("HUB_UNREACHABLE", "No askbox hub is running; start one with `askbox hub`");

/** The port, with some of its methods replaced. */
const withMethods = (port: Asker, methods: Partial<Asker>): Asker => ({
  ask: (...args) => port.ask(...args),
  resume: (...args) => port.resume(...args),
  withdraw: (...args) => port.withdraw(...args),
  collect: (...args) => port.collect(...args),
  ...methods,
});

describe("what an agent is told when askbox fails", () => {
  test.each([
    ["claude-code", "AskUserQuestion"],
    ["codex-mcp-client", "request_user_input"],
    ["opencode", "question"],
    ["gemini-cli-mcp-client", "ask_user"],
    ["some-client", "your own question tool, or ask in the chat"],
  ])("without a hub %s is told at once what to do, and to use its own %s", async (clientName, ownTool) => {
    const { client, connect, logged } = await connected({ clientName, asker: async () => Promise.reject(noHub) });
    await connect();
    const result = await client.callTool({ name: "ask_user", arguments: input });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain("the person was not asked");
    expect(textOf(result)).toContain("start one with `askbox hub`.");
    expect(textOf(result)).toContain(ownTool);
    expect(logged).toContainEqual(
      expect.objectContaining({ level: "warn", message: "Session failed", data: expect.objectContaining({ code: "HUB_UNREACHABLE" }) }),
    );
  });

  test.each([
    ["chat", "Until that is fixed, ask in the chat."],
    ["none", "Until that is fixed, say so and stop."],
  ] as const)("an agent whose fallback is %s is never told to use its own tool", async (fallback, advice) => {
    const { client, connect } = await connected({ clientName: "claude-code", fallback, asker: async () => Promise.reject(noHub) });
    await connect();
    const text = textOf(await client.callTool({ name: "ask_user", arguments: input }));
    expect(text).toContain(advice);
    expect(text).not.toContain("AskUserQuestion");
  });

  test("with the wait of a prepared worktree ask_human blocks until its own 10 minutes are over", async () => {
    const { client, connect, platform } = await connected({ clientName: "claude-code", tools: ["ask_human"], maxWait: 1_790_000 });
    await connect();
    let isBack = false;
    const options = { timeout: 3_600_000, maxTotalTimeout: 3_600_000 };
    const call = client.callTool({ name: "ask_human", arguments: { question: "Go on?", agent_id: "fix-1" } }, options).finally(() => {
      isBack = true;
    });
    await platform.clock.advance(599_000);
    expect(isBack).toBe(false);
    await platform.clock.advance(2_000);
    expect(textOf(await call)).toMatch(/10 minutes|600/);
  });

  test.each([
    ["the time until the call has to be back", {}, 50_000],
    ["the timeout of its questions, where that is sooner", { timeout: 20_000 }, 20_000],
  ])("looks for a hub for %s", async (_, more, within) => {
    const limits: (number | undefined)[] = [];
    const asker = async (_port: Asker, caller: Caller) => {
      limits.push(caller.within);
      throw noHub;
    };
    const { client, connect } = await connected({ clientName: "some-client", asker });
    await connect();
    await client.callTool({ name: "ask_user", arguments: { ...input, ...more } });
    expect(limits).toEqual([within]);
  });

  test("a hub that starts later is used by the next call", async () => {
    let up = false;
    const { client, connect, desk } = await connected({ asker: async (port) => (up ? port : Promise.reject(noHub)) });
    await connect();
    expect((await client.callTool({ name: "ask_user", arguments: input })).isError).toBe(true);
    up = true;
    const call = client.callTool({ name: "ask_user", arguments: { ...input, title: "again" } });
    await desk.watch({}, (event) => {
      if (event.type === "session" && event.session.status === "pending") void desk.cancel(event.session.id);
    });
    expect((await call).structuredContent).toMatchObject({ cancelled: true });
  });

  test("a call whose hub stops responding during the question returns a ticket before its client times out", async () => {
    let isDropped = false;
    const { client, connect, platform } = await connected({
      asker: async (port) =>
        withMethods(port, {
          async ask(request, options) {
            options.signal?.addEventListener("abort", () => {
              isDropped = true;
            });
            await port.ask(request, { ...options, maxWait: 0 });
            return new Promise(() => {});
          },
        }),
    });
    await connect();
    const call = client.callTool({ name: "ask_user", arguments: input });
    await platform.clock.advance(53_000);
    expect((await call).structuredContent).toMatchObject({ pending: true, sessionId: expect.any(String) });
    expect(isDropped).toBe(true);
  });

  test("a call whose hub accepts the questions too late does not claim that nobody was asked; the same ask continues with them", async () => {
    const late = Promise.withResolvers<void>();
    const { client, connect, desk, platform } = await connected({
      asker: async (port) => withMethods(port, { ask: (...args) => late.promise.then(() => port.ask(...args)) }),
    });
    await connect();
    const call = client.callTool({ name: "ask_user", arguments: input });
    await platform.clock.advance(53_000);
    const text = textOf(await call);
    expect(text).toContain("it is not certain that the person was asked. The hub did not say in time");
    expect(text).toContain("Ask the same again with ask_user");
    late.resolve();
    await platform.clock.advance(0);
    const [session] = (await desk.list()).items;
    expect(session).toMatchObject({ status: "pending", presence: { asker: "away" } });
    const again = client.callTool({ name: "ask_user", arguments: input });
    await platform.clock.advance(0);
    await desk.answer(session?.id ?? "", { answers: [{ questionId: "a", values: ["yes"] }] });
    expect((await again).structuredContent).toMatchObject({ answered: true, sessionId: session?.id });
  });

  test("a hub lost while sending leaves open whether the person was asked; a rejection does not", async () => {
    let error = new AskboxError("HUB_UNREACHABLE", "The hub has been away for 60 s.");
    const { client, connect } = await connected({ asker: async (port) => withMethods(port, { ask: () => Promise.reject(error) }) });
    await connect();
    const ask = async () => textOf(await client.callTool({ name: "ask_user", arguments: input }));
    expect(await ask()).toContain("it is not certain that the person was asked");
    error = new AskboxError("TOO_MANY_PENDING", "1000 questions wait.");
    expect(await ask()).toContain("the person was not asked");
  });

  test("a delivery that cannot be recorded does not affect the result", async () => {
    const { client, connect, desk, logged, server } = await connected({
      asker: async (port) =>
        withMethods(port, { ask: async (...args) => ({ ...(await port.ask(...args)), ack: async () => Promise.reject(noHub) }) }),
    });
    await connect();
    const call = client.callTool({ name: "ask_user", arguments: input });
    await desk.watch({}, (event) => {
      if (event.type === "session" && event.session.status === "pending") void desk.cancel(event.session.id);
    });
    expect((await call).structuredContent).toMatchObject({ cancelled: true });
    await server.whenIdle();
    expect(logged.some(({ message }) => message.startsWith("A delivery could not be recorded"))).toBe(true);
  });

  test("a call without time left once the hub is found returns a ticket, and its answer is included in the next result", async () => {
    let looksFor = 51_000;
    const { client, connect, desk, platform } = await connected({
      asker: async (port) => {
        await platform.clock.advance(looksFor);
        looksFor = 0;
        return port;
      },
    });
    await connect();
    const asking = client.callTool({ name: "ask_user", arguments: input });
    await until(async () => (await desk.list()).items.length > 0);
    await platform.clock.advance(1);
    const { structuredContent } = await asking;
    expect(structuredContent).toMatchObject({ pending: true });
    const { sessionId } = structuredContent as { sessionId: string };
    await desk.answer(sessionId, { answers: [{ questionId: "a", values: ["yes"] }] });
    const next = client.callTool({ name: "ask_user", arguments: { questions: [{ id: "b", question: "And now?" }] } });
    const pending = async () => (await desk.list({ statuses: ["pending"] })).items;
    await until(async () => (await pending()).length > 0);
    await desk.answer((await pending())[0]?.id ?? "", { answers: [{ questionId: "b", values: ["yes"] }] });
    expect((await next).structuredContent).toMatchObject({ answered: true, earlier: [{ sessionId, answered: true }] });
  });

  // promise: cancelled-call-answer-free
  test("an outcome whose call is cancelled before it is written goes to the next call at once", async () => {
    const stop = new AbortController();
    const { client, connect, desk, server } = await connected({
      clientName: "opencode",
      asker: async (port) =>
        withMethods(port, {
          async ask(request, options) {
            const handover = await port.ask(request, options);
            // The call has received the outcome by now.
            if (!stop.signal.aborted) stop.abort();
            await new Promise((resolve) => setImmediate(resolve));
            return handover;
          },
        }),
    });
    await connect();
    const first = client.callTool({ name: "ask_user", arguments: input }, { signal: stop.signal });
    await desk.watch({}, (event) => {
      if (event.type !== "session" || event.session.status !== "pending" || event.session.presence.asker !== "attached") return;
      void desk.answer(event.session.id, { answers: [{ questionId: "a", values: ["yes"] }] }).catch(() => {});
    });
    await expect(first).rejects.toThrow();
    await server.whenIdle();
    const second = await client.callTool({ name: "ask_user", arguments: input });
    expect(second.structuredContent).toMatchObject({ answered: true, late: true });
  });

  // promise: delivered-means-written
  test("a result written after the client's limit does not count as delivered", async () => {
    let sleep = 0;
    const { client, connect, desk, platform, server } = await connected({
      clientName: "codex-mcp-client",
      asker: async (port) => {
        // As if the machine had slept while the hub was being looked for.
        await platform.clock.advance(sleep);
        return port;
      },
    });
    await connect();
    const stop = new AbortController();
    const first = client.callTool({ name: "ask_user", arguments: input }, { signal: stop.signal });
    await desk.watch({}, (event) => {
      if (event.type === "session" && event.session.presence.asker === "attached") stop.abort();
    });
    await expect(first).rejects.toThrow();
    await server.whenIdle();
    const [session] = (await desk.list()).items;
    await desk.answer(session?.id ?? "", { answers: [{ questionId: "a", values: ["yes"] }] });
    sleep = 301_000;
    const second = await client.callTool({ name: "ask_user", arguments: input });
    expect(second.structuredContent).toMatchObject({ answered: true, late: true });
    await server.whenIdle();
    expect((await desk.get(session?.id ?? "")).delivery.deliveredAt).toBeNull();
  });
});
