import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SessionView } from "@askbox/core";
import { createToken } from "@askbox/hub";
import { freePort } from "@askbox/store-redis/testing";
import { openSqliteStore, openSqliteValues } from "@askbox/store-sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { eventually } from "../requirements/requirement.ts";
import { type ClientKind, connectClient } from "./harness/clients.ts";
import { transportOf } from "./harness/http.ts";
import { openHub } from "./harness/hub.ts";
import { pendingSessions } from "./harness/inbox.ts";
import { rawHttpAgent } from "./harness/raw-agent.ts";

const question = { questions: [{ id: "a", question: "Shall we?" }], timeout: 1_800_000 };
const yes = { answers: [{ questionId: "a", values: ["yes"] }] };
const tokens = { own: createToken(), other: createToken() };
let folder: string;
let url: URL;
let closing: (() => Promise<unknown>)[];

/** A hub on this test's store, at this test's address. */
async function startHub() {
  const store = await openSqliteStore({ path: join(folder, "askbox.db") });
  const hub = await openHub({
    store,
    tokens: Object.entries(tokens).map(([owner, token]) => ({ owner, token, scope: "asker" })),
    mcp: { openKept: () => openSqliteValues({ path: join(folder, "mcp-sessions.db") }) },
    port: Number(url.port),
  });
  const desk = hub.broker.desk({ surface: "cli" });
  const close = async () => {
    await hub.close();
    await store.close();
  };
  return { desk, close, nextSession: await pendingSessions(desk) };
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "askbox-restart-"));
  url = new URL(`http://127.0.0.1:${await freePort()}/mcp?max-wait=0`);
  closing = [];
});
afterEach(async () => {
  for (const close of closing.reverse()) await close();
  await rm(folder, { recursive: true, force: true });
});

describe("after a restart of the hub", () => {
  // promise: next-hub-found
  test("a task is available to the token that owns it, and to no other", async () => {
    const first = await startHub();
    const agent = rawHttpAgent(url, tokens.own, "some-client");
    const [{ result }, session] = await Promise.all([
      agent.request("tools/call", { name: "ask_user", arguments: question }),
      first.nextSession(),
    ]);
    const taskId = String(result?.["taskId"]);
    await first.close();
    const second = await startHub();
    closing.push(second.close);
    expect((await agent.request("tasks/get", { taskId })).result).toMatchObject({ status: "working" });
    const stranger = rawHttpAgent(url, tokens.other, "some-client");
    for (const method of ["tasks/get", "tasks/cancel"]) expect((await stranger.request(method, { taskId })).error?.code).toBe(-32_602);
    expect((await stranger.request("tasks/update", { taskId, inputResponses: {} })).error?.code).toBe(-32_602);
    await second.desk.answer(session.id, yes);
    expect((await agent.request("tasks/get", { taskId })).result).toMatchObject({
      status: "completed",
      result: { structuredContent: { answered: true, answers: yes.answers } },
    });
  });

  test("the open question of ask_human is joined when it is asked again, and the waiting one is then asked", async () => {
    url.searchParams.set("tools", "ask_human");
    const first = await startHub();
    const kind = "SDK v2, 2026 era";
    const agent = await connectClient(kind, "some-client", transportOf(kind, url, tokens.own));
    closing.push(() => agent.close());
    const call = (words: string, onProgress = () => {}) =>
      agent.callTool("ask_human", { question: words, agent_id: "builder" }, { onProgress });
    const before = call("First?");
    const session = await first.nextSession();
    const arrived = Promise.withResolvers<void>();
    const behind = call("Second?", arrived.resolve);
    await arrived.promise;
    await eventually(async () => (await first.desk.get(session.id)).presence.asker === "attached" || undefined, "it waits");
    await first.close();
    for (const ended of [before, behind]) expect((await ended).isError).toBe(true);

    const second = await startHub();
    closing.push(second.close);
    const again = call("First?");
    await eventually(async () => (await second.desk.get(session.id)).presence.asker === "attached" || undefined, "it waits again");
    const next = call("Second?");
    expect((await second.desk.list({ statuses: ["pending"] })).items.map(({ id }) => id)).toEqual([session.id]);
    const reply = ({ id, questions }: SessionView, text: string) =>
      second.desk.answer(id, { answers: [{ questionId: questions[0]?.id ?? "", values: [text] }] });
    await reply(session, "one");
    expect((await again).text).toBe("one");
    const put = await eventually(async () => (await second.desk.list({ statuses: ["pending"] })).items[0], "the second is put");
    expect(put.questions[0]?.question).toBe("Second?");
    await reply(put, "two");
    expect((await next).text).toBe("two");
  });

  test.each<ClientKind>(["SDK v1", "SDK v2, 2025 era", "SDK v2, 2026 era"])(
    "a client on %s asks again and continues with its question",
    async (kind) => {
      const first = await startHub();
      const before = await connectClient(kind, "some-client", transportOf(kind, url, tokens.own));
      closing.push(() => before.close());
      const call = before.callTool("ask_user", question);
      const session = await first.nextSession();
      await eventually(async () => (await first.desk.get(session.id)).presence.asker === "attached" || undefined, "it waits");
      await first.close();
      // The hub's last message says what to do.
      expect(await call).toMatchObject({ isError: true, text: expect.stringContaining(`sessionId ${session.id}`) });
      const second = await startHub();
      closing.push(second.close);
      const again = before.callTool("ask_user", question);
      await eventually(async () => (await second.desk.get(session.id)).presence.asker === "attached" || undefined, "it waits again");
      await second.desk.answer(session.id, yes);
      expect((await again).structuredContent).toMatchObject({ answered: true, sessionId: session.id });
    },
  );
});
