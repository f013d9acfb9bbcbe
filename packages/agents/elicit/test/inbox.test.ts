import { type Answer, createBroker, type Desk, memoryStore, type SessionView } from "@askbox/core";
import type { McpServer } from "@modelcontextprotocol/server";
import { describe, expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { ElicitationTimeoutError, elicit } from "../src/index.ts";
import { connect, eras, fakePlatform, said, textOf, wizard } from "./support.ts";

type Settle = (session: SessionView, desk: Desk) => Promise<unknown>;

/** An inbox whose user settles each new session, and a client without forms. */
async function withInbox(register: (server: McpServer) => void, settle: Settle, era: (typeof eras)[number] = "2025-11-25") {
  const platform = fakePlatform();
  const broker = await createBroker({ store: memoryStore(), ...platform });
  onTestFinished(() => broker.close());
  const desk = broker.desk({ surface: "web", name: "Ada" });
  const asked: SessionView[] = [];
  await desk.watch({}, (event) => {
    if (event.type !== "session" || event.session.status !== "pending" || asked.some(({ id }) => id === event.session.id)) return;
    asked.push(event.session);
    void settle(event.session, desk);
  });
  const connected = await connect({
    era,
    register,
    asker: broker.asker("token-1"),
    identity: async () => ({ project: "/work" }),
    platform,
  });
  return { ...connected, platform, desk, asked };
}

const answering =
  (values: Record<string, string[]>): Settle =>
  (session, desk) =>
    desk.answer(session.id, {
      answers: session.questions.flatMap(({ id }): Answer[] => (values[id] === undefined ? [] : [{ questionId: id, values: values[id] }])),
    });

describe.each(eras)("elicit() through the inbox, for a client of %s", (era) => {
  test("runs a wizard of three steps in one run", async () => {
    const counts = { runs: 0, orders: 0 };
    const settle = answering({ name: ["Ada"], color: ["green"], count: ["3"] });
    const { call, asked, client } = await withInbox((server) => wizard(server, counts), settle, era);
    expect(textOf(await call("wizard", { topic: "tea" }))).toBe("3 green for Ada, order 1");
    expect(counts).toEqual({ runs: 1, orders: 1 });
    expect(asked.map(({ title }) => title)).toEqual(["Step 1 of tea: who are you?", "Hi Ada, order 1: which colour?", "And how many?"]);
    expect(asked[0]?.asker).toEqual({ client: { name: "some-client", version: "1" }, project: "/work" });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["wizard"]);
  });
});

describe("elicit() through the inbox", () => {
  const confirm = (server: McpServer, ttl?: number) =>
    server.registerTool("confirm", {}, async (ctx) => {
      try {
        const result = await elicit(ctx, "Delete it?", z.object({ sure: z.boolean() }), { ttl });
        return said(JSON.stringify(result));
      } catch (error) {
        return said(error instanceof ElicitationTimeoutError ? "timed out" : `failed: ${String(error)}`);
      }
    });

  test("reports the surface where it was answered", async () => {
    const { call } = await withInbox(confirm, answering({ sure: ["no"] }));
    expect(JSON.parse(textOf(await call("confirm")))).toEqual({ status: "accept", content: { sure: false }, by: "web" });
  });

  test("replies to what a person asks back, and gives them 5 more minutes, whatever its ttl", async () => {
    const { call, platform, desk, asked } = await withInbox(
      (server) => confirm(server, 20_000),
      (session, person) => person.askBack(session.id, { text: "All of it?" }),
    );
    const calling = call("confirm");
    // What the first message needs is loaded then, which takes longer than the clock waits.
    await expect.poll(async () => (await desk.list({ statuses: ["pending"] })).items[0]?.thread).toHaveLength(2);
    await platform.clock.advance(299_000);
    const [{ id }] = asked as [SessionView];
    expect((await desk.get(id)).thread?.map(({ text, by }) => [by.surface, text])).toEqual([
      ["web", "All of it?"],
      ["asker", "This question comes from a program, which cannot reply. Answer it as it is, or decline it."],
    ]);
    await desk.answer(id, { answers: [{ questionId: "sure", values: ["yes"] }] });
    expect(JSON.parse(textOf(await calling))).toEqual({ status: "accept", content: { sure: true }, by: "web" });
  });

  test("distinguishes a person who gives a reason from one who only closes the question", async () => {
    const closing = await withInbox(confirm, (session, desk) => desk.cancel(session.id));
    expect(JSON.parse(textOf(await closing.call("confirm")))).toEqual({ status: "cancel", by: "web" });
    const refusing = await withInbox(confirm, (session, desk) => desk.cancel(session.id, { reason: "No!" }));
    expect(JSON.parse(textOf(await refusing.call("confirm")))).toEqual({ status: "decline", by: "web" });
  });

  test.each([1_000, 20_000])("ends after a ttl of %s ms, and the question is withdrawn", async (ttl) => {
    const { call, platform, desk } = await withInbox(
      (server) => confirm(server, ttl),
      async () => {},
    );
    const calling = call("confirm");
    await platform.clock.advance(ttl + 1);
    expect(textOf(await calling)).toBe("timed out");
    expect((await desk.list({ statuses: ["pending"] })).items).toEqual([]);
  });

  test("asks again if its ttl is longer than the inbox's half an hour", async () => {
    const { call, platform, asked, desk } = await withInbox(
      (server) => confirm(server, 7_200_000),
      async () => {},
    );
    const calling = call("confirm");
    await expect.poll(() => asked.length).toBe(1);
    await platform.clock.advance(1_800_001);
    await expect.poll(() => asked.length).toBe(2);
    await desk.answer(asked[1]?.id ?? "", { answers: [{ questionId: "sure", values: ["yes"] }] });
    expect(JSON.parse(textOf(await calling))).toMatchObject({ status: "accept", content: { sure: true } });
  });

  test("asks a form of 23 fields in three sessions", async () => {
    const names = Array.from({ length: 23 }, (_, index) => `f${index}`);
    const schema = z.object(Object.fromEntries(names.map((name) => [name, z.string()])));
    const values = Object.fromEntries(names.map((name) => [name, [name.toUpperCase()]]));
    const register = (server: McpServer) =>
      server.registerTool("fill", {}, async (ctx) => said(JSON.stringify((await elicit(ctx, "All of it", schema)).content)));
    const { call, asked } = await withInbox(register, answering(values));
    expect(JSON.parse(textOf(await call("fill")))).toEqual(Object.fromEntries(names.map((name) => [name, name.toUpperCase()])));
    expect(asked.map(({ title, questions }) => [title, questions.length])).toEqual([
      ["All of it (1 of 3)", 10],
      ["All of it (2 of 3)", 10],
      ["All of it (3 of 3)", 3],
    ]);
  });

  test("sends its person to a page", async () => {
    const register = (server: McpServer) =>
      server.registerTool("login", {}, async (ctx) => {
        const url = "https://example.com/login";
        return said((await elicit(ctx, "Log in, please", z.object({}), { mode: "url", url })).status);
      });
    const { call, asked } = await withInbox(register, answering({ accepted: ["yes"] }));
    expect(textOf(await call("login"))).toBe("accept");
    expect(asked[0]?.questions[0]?.question).toContain("https://example.com/login");
  });

  test("fails with ABORTED if its call is cancelled, so that the author can clean up", async () => {
    const failed = Promise.withResolvers<unknown>();
    const { client, asked } = await withInbox(
      (server) =>
        void server.registerTool("confirm", { inputSchema: z.object({}) }, async (_input, ctx) => {
          await elicit(ctx, "Go on?", z.object({ sure: z.boolean() })).catch((error: unknown) => {
            failed.resolve(error);
            throw error;
          });
          return said("done");
        }),
      async () => {},
    );
    const stop = new AbortController();
    const call = client.callTool({ name: "confirm", arguments: {} }, { signal: stop.signal });
    call.catch(() => {});
    await expect.poll(() => asked.length).toBe(1);
    stop.abort();
    expect(await failed.promise).toMatchObject({ name: "AskboxError", code: "ABORTED" });
  });

  test("joins the question of a cancelled call when the tool is called again", async () => {
    const { call, asked, desk, client } = await withInbox(confirm, async () => {});
    const stop = new AbortController();
    const first = client.callTool({ name: "confirm", arguments: {} }, { signal: stop.signal });
    await expect.poll(() => asked.length).toBe(1);
    stop.abort();
    await expect(first).rejects.toThrow();
    await expect.poll(async () => (await desk.list()).items[0]?.presence.asker).toBe("away");
    const second = call("confirm");
    await expect.poll(async () => (await desk.list()).items[0]?.presence.asker).toBe("attached");
    await desk.answer(asked[0]?.id ?? "", { answers: [{ questionId: "sure", values: ["yes"] }] });
    expect(JSON.parse(textOf(await second))).toMatchObject({ content: { sure: true } });
    expect(asked).toHaveLength(1);
  });
});
