import { memoryStore } from "@askbox/core";
import { testPlatform } from "@askbox/core/testing";
import type { MountContext } from "@askbox/hub";
import { afterEach, describe, expect, test } from "vitest";
import { answer, askAndLeave, conversation, hubWith, newsOf, type StandInHub, settle, standIn } from "./waking-support.ts";

const open: StandInHub[] = [];
afterEach(async () => {
  for (const { waking, broker } of open.splice(0)) {
    await waking.close();
    await broker.close();
  }
});

/** A hub with programs of Claude Code and OpenCode that wait at it. */
async function start() {
  const platform = testPlatform();
  const hub = await hubWith({
    store: memoryStore(),
    platform,
    client: standIn(),
    ways: {
      "claude-code": { client: "claude-code", listens: "nudge", risk: "" },
      opencode: { client: "opencode", listens: "message", risk: "" },
    },
  });
  open.push(hub);
  const { clock } = platform;
  let isDelivered = true;
  const { fetch } = hub.waking.doors.mount({
    authorize: async (request: Request) => ({ owner: request.headers.get("x-owner") ?? "local" }),
    limits: { requestBytes: 10_000 },
    closing: new AbortController().signal,
    delivered: async () => isDelivered,
  } as unknown as MountContext);
  /** A program comes to the hub. */
  const come = (body: object, { owner = "local", signal = new AbortController().signal } = {}) =>
    fetch(new Request("http://hub/hooks/wake", { method: "POST", headers: { "x-owner": owner }, body: JSON.stringify(body), signal }));
  const told = async (response: Promise<Response>) => (await (await response).json()) as { words: string; id: string; sessionId: string };
  const ask = (client = "claude-code") => askAndLeave(hub.asker, clock, { client: { name: client } });
  return {
    ...hub,
    clock,
    come,
    told,
    ask,
    lose: () => {
      isDelivered = false;
    },
  };
}

const claude = { client: "claude-code", conversation };

describe("a hook of Claude Code that waits at the hub", () => {
  test("is sent away at once when its conversation has no question open, of another owner's or none", async () => {
    const { come, ask } = await start();
    expect((await come(claude)).status).toBe(204);
    await ask();
    expect((await come({ ...claude, conversation: "another" })).status).toBe(204);
    expect((await come(claude, { owner: "ci" })).status).toBe(204);
    expect((await come({ client: "claude-code", conversation: 5 })).status).toBe(400);
  });

  test("is told to fetch the answer, once; what it fetches is delivered as usual", async () => {
    const { come, told, ask, desk, asker, clock } = await start();
    const session = await ask();
    const hook = come(claude);
    await settle(clock);
    expect(await desk.outlook(session.id)).toMatchObject({ client: "idle", next: "continues" });
    await answer(desk, session);
    await settle(clock);
    expect((await told(hook)).words).toContain(`get_answer with sessionId ${session.id}`);
    await settle(clock);
    expect(await desk.get(session.id)).toMatchObject({ waking: { state: "woken" }, delivery: { deliveredAt: null } });
    expect((await come(claude)).status).toBe(204);
    await (await asker.resume(session.id, { earlier: false })).ack();
    expect((await desk.get(session.id)).delivery.deliveredAt).not.toBeNull();
  });

  test("is told of an answer that came while the agent was at work", async () => {
    const { come, told, ask, desk, clock } = await start();
    const session = await ask();
    await answer(desk, session);
    await settle(clock, 60_000);
    const hook = come(claude);
    await settle(clock);
    expect((await told(hook)).sessionId).toBe(session.id);
  });

  test("is sent away when the agent gets the answer itself, when a newer one comes, and when the hub closes", async () => {
    const { come, ask, desk, asker, clock, waking } = await start();
    const [one, other] = [await ask(), await ask()];
    const first = come(claude);
    await settle(clock);
    const second = come(claude);
    await settle(clock);
    expect((await first).status).toBe(204);
    for (const session of [one, other]) {
      const call = asker.resume(session.id, { earlier: false });
      await settle(clock);
      await answer(desk, session);
      await (await call).ack();
    }
    await settle(clock);
    expect((await second).status).toBe(204);
    await ask();
    const third = come(claude);
    await settle(clock);
    await waking.close();
    expect((await third).status).toBe(204);
  });

  test("that ended before it was told leaves a failed waking, and the answer", async () => {
    const { come, ask, desk, clock, lose } = await start();
    const session = await ask();
    void come(claude);
    await settle(clock);
    lose();
    await answer(desk, session);
    await settle(clock, 60_000);
    expect(await desk.get(session.id)).toMatchObject({ waking: { state: "failed" }, delivery: { deliveredAt: null } });
  });
});

describe("a plugin of OpenCode that waits at the hub with its tickets", () => {
  test("gets the outcome, which counts as delivered once the plugin says so", async () => {
    const { come, told, ask, desk, clock } = await start();
    const session = await ask("opencode");
    const plugin = come({ client: "opencode", sessions: [session.id] });
    await settle(clock);
    await answer(desk, session);
    await settle(clock);
    const { id, words } = await told(plugin);
    expect(words).toBe(`${session.id} "answered"`);
    expect((await desk.get(session.id)).delivery.deliveredAt).toBeNull();
    await come({ done: id }, { owner: "ci" });
    await settle(clock);
    expect((await desk.get(session.id)).waking?.state).toBe("started");
    await come({ done: id });
    await settle(clock);
    expect(await desk.get(session.id)).toMatchObject({ waking: { state: "woken" }, delivery: { callId: id } });
  });

  test("gets no outcome by a conversation that an asker named: only whoever holds the ticket is known to have asked", async () => {
    const { come, told, ask, desk, clock } = await start();
    const session = await ask("opencode");
    const plugin = come({ client: "opencode", conversation });
    await settle(clock);
    await answer(desk, session);
    await settle(clock);
    const { id, words } = await told(plugin);
    expect(words).toBe(newsOf(session));
    await come({ done: id });
    await settle(clock);
    expect(await desk.get(session.id)).toMatchObject({ waking: { state: "woken" }, delivery: { deliveredAt: null } });
  });

  test("that never says so leaves a failed waking, and the outcome", async () => {
    const { come, ask, desk, clock } = await start();
    const session = await ask("opencode");
    void come({ client: "opencode", sessions: [session.id] });
    await settle(clock);
    await answer(desk, session);
    await settle(clock, 60_000);
    expect(await desk.get(session.id)).toMatchObject({ waking: { state: "failed" }, delivery: { deliveredAt: null } });
  });
});
