import type { SessionStore } from "@askbox/core";
import { expect, test } from "vitest";
import { until } from "../support/until.ts";
import { openHub } from "./support/approvals-hub.ts";
import { claudeEvents } from "./support/claude-events.ts";
import { codexEvents } from "./support/codex-events.ts";

test("an allow arrives although the record of its delivery takes long, or fails", async () => {
  for (const unhurried of [() => new Promise<boolean>(() => {}), () => Promise.reject(new Error("disk full"))]) {
    const { send, answer, only } = await openHub("/hooks/claude-code", {
      replace(this: SessionStore, record, revision, options) {
        return options?.unhurried === true ? unhurried() : this.replace(record, revision, options);
      },
    });
    const asked = send(claudeEvents.command);
    await answer(["allow"]);
    expect(await asked).toEqual({ status: 200, decision: { behavior: "allow" } });
    expect((await only("answered")).delivery.deliveredAt).toBeNull();
  }
});

test("a decision counts as delivered once its hook has read all of it", async () => {
  const { hub, answer, only, url } = await openHub();
  const ask = () => {
    const headers = { authorization: "Bearer abx_asker" };
    return hub.fetch(new Request(`${url}/hooks/claude-code`, { method: "POST", headers, body: JSON.stringify(claudeEvents.command) }));
  };
  const deliveredAt = async () => (await only("answered")).delivery.deliveredAt;
  const cut = Promise.resolve(ask());
  await answer(["allow"]);
  await (await cut).body?.cancel();
  expect(await deliveredAt()).toBeNull();
  const read = Promise.resolve(ask());
  await answer(["allow"]);
  const response = await read;
  expect(await deliveredAt()).toBeNull();
  await response.text();
  await until("the delivery is recorded", async () => (await deliveredAt()) !== null);
});

test("what Codex' hook asked before its session was followed is asked once", async () => {
  const { send, only, follow } = await openHub("/hooks/codex");
  const asked = send(codexEvents.command);
  const { id } = await only("pending");
  const gone = new AbortController();
  const followed = follow([codexEvents.command.session_id], gone.signal);
  expect(await asked).toMatchObject({ status: 204 });
  expect((await only("cancelled")).id).toBe(id);
  gone.abort();
  await followed;
});

test("Codex' hook asks nothing for a session that is followed by its socket, for as long as it is", async () => {
  const { desk, follow, send } = await openHub("/hooks/codex");
  const pending = async () => (await desk.list({ statuses: ["pending"] })).items.length;
  /** Whether the hook is told to go on, rather than a person asked. */
  const isLeft = async (event: object) => {
    const stop = new AbortController();
    let isOver = false;
    const sent = send(event, { signal: stop.signal }).then(
      () => true,
      () => false,
    );
    void sent.then(() => {
      isOver = true;
    });
    await until("it is asked or left", async () => isOver || (await pending()) > 0);
    stop.abort();
    await until("nobody is asked any more", async () => (await pending()) === 0);
    return sent;
  };
  const gone = new AbortController();
  const followed = follow([codexEvents.command.session_id], gone.signal);
  await until("it is followed", () => isLeft(codexEvents.command));
  expect(await isLeft(codexEvents.command)).toBe(true);
  expect(await isLeft({ ...codexEvents.command, session_id: "another" })).toBe(false);
  gone.abort();
  await followed;
  await until("it is followed no more", async () => !(await isLeft(codexEvents.command)));

  // A follower's next request ends the one before, once it holds.
  const next = new AbortController();
  const before = follow([codexEvents.command.session_id], AbortSignal.timeout(10_000), "server");
  await until("it is followed again", () => isLeft(codexEvents.command));
  void follow([codexEvents.command.session_id, "another"], next.signal, "server");
  expect((await before)?.status).toBe(204);
  expect(await isLeft(codexEvents.command)).toBe(true);
  expect(await isLeft({ ...codexEvents.command, session_id: "another" })).toBe(true);
  next.abort();
});
