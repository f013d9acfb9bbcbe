import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createToken } from "@askbox/hub";
import { freePort } from "@askbox/store-redis/testing";
import { openSqliteStore, openSqliteValues } from "@askbox/store-sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
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
});
