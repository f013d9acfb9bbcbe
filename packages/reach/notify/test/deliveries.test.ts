import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { scene, target, temporaryFolder } from "./support/scene.ts";

const path = () => join(temporaryFolder(), "webhooks.json");

describe("a delivery", () => {
  test("is retried with growing delays, under the same id, and later events of the session wait for it", async () => {
    const { ask, answer, answers, bodies, clock, ids, notify, settled } = await scene({ targets: [target()] });
    answers.push({ status: 500 }, { status: 503 });
    const id = await ask();
    await settled();
    expect(notify.status()[0]).toMatchObject({ waiting: 1, trouble: "it answered 500" });
    await answer(id);
    await clock.advance(5_000);
    expect(notify.status()[0]).toMatchObject({ waiting: 2, trouble: "it answered 503" });
    // The wall clock has no part in it.
    clock.jumpWall(-3_600_000);
    await clock.advance(29_999);
    expect(bodies()).toHaveLength(2);
    await clock.advance(1);
    expect(bodies().map(({ type }) => type)).toEqual(["session.opened", "session.opened", "session.opened", "session.settled"]);
    expect(new Set(ids()).size).toBe(2);
    expect(notify.status()).toEqual([{ url: "https://receiver.example/hook", kind: "webhook", delivered: 2, waiting: 0, failed: 0 }]);
  });

  test("is counted by its channel: each retry, and at the end one result", async () => {
    const { answers, ask, batchLeaves, clock, results, settled, somebody } = await scene({
      mode: "notify",
      targets: [target(), target({ kind: "ntfy", url: "https://ntfy.example/topic", after: 0 })],
      remote: { answerAs: undefined },
    });
    answers.push({ status: 500 }, { status: 410 });
    await ask();
    await settled();
    await clock.advance(5_000);
    expect(results.toSorted()).toEqual(["notify delivered", "ntfy delivered", "ntfy retried", "webhook dropped"]);
    results.splice(0);
    // Somebody is there before it is announced: no notification was shown.
    await ask();
    somebody.there = true;
    await batchLeaves();
    expect(results.toSorted()).toEqual(["ntfy delivered", "webhook delivered"]);
  });

  test.each(["60", "date"])("waits for as long as Retry-After says, as %s", async (form) => {
    const { ask, answers, clock, received, settled } = await scene({ targets: [target()] });
    const at = new Date(Math.ceil(clock.now() / 1_000) * 1_000 + 60_000);
    const wait = form === "date" ? at.getTime() - clock.now() : 60_000;
    answers.push({ status: 429, headers: { "retry-after": form === "date" ? at.toUTCString() : form } });
    await ask();
    await settled();
    await clock.advance(wait - 1);
    expect(received).toHaveLength(1);
    await clock.advance(1);
    expect(received).toHaveLength(2);
  });

  test("is dropped, with one line in the log, after nine attempts or at once on a permanent error", async () => {
    const { ask, answers, clock, notify, received, settled, warnings } = await scene({
      targets: [target({ events: ["session.opened"] })],
    });
    answers.push({ status: 410 });
    await ask();
    await settled();
    expect(notify.status()[0]).toMatchObject({ failed: 1, trouble: "it answered 410" });
    answers.push(...Array.from({ length: 9 }, () => ({ status: 500 })));
    await ask();
    for (const seconds of [5, 30, 120, 600, 1_800, 7_200, 14_400, 28_800]) await clock.advance(seconds * 1_000);
    expect(received).toHaveLength(10);
    expect(notify.status()[0]?.failed).toBe(2);
    const dropped = "A webhook could not be delivered and was dropped.";
    expect(warnings()).toEqual([dropped, dropped]);
  });

  test("that hangs delays nothing: the answer counts, others are sent, and after 15 s it counts as failed", async () => {
    const { ask, answer, answers, clock, notify, received, settled } = await scene({ targets: [target()] });
    answers.push("hangs");
    await answer(await ask());
    await ask();
    await settled();
    expect(received).toHaveLength(2);
    await clock.advance(15_000);
    expect(notify.status()[0]?.trouble).toBe("it did not answer in 15 s");
  });

  test("is dropped if it is the oldest of more than 1,000", async () => {
    const file = path();
    const waiting = Array.from({ length: 1_003 }, (_, count) => ({
      to: target().url,
      attempts: 1,
      dueAt: Number.MAX_SAFE_INTEGER,
      event: { id: `${count}.opened`, type: "session.opened", at: 1, session: { id: String(count) } },
    }));
    writeFileSync(file, JSON.stringify({ told: [], waiting }));
    const { notify, log } = await scene({ targets: [target()], remote: { file } });
    expect(notify.status()[0]).toMatchObject({ waiting: 1_000, failed: 3 });
    expect(log.map(({ data }) => data?.["sessionId"])).toEqual(["0", "1", "2"]);
  });
});

describe("webhooks over a restart of the hub", () => {
  test("resume undelivered events", async () => {
    const { ask, answers, clock, notify, settled, startAgain } = await scene({ targets: [target()], remote: { file: path() } });
    answers.push({ status: 500 });
    await ask();
    await settled();
    await notify.close();
    const again = await startAgain();
    expect(again.status()[0]).toMatchObject({ waiting: 1, delivered: 0 });
    await clock.advance(5_000);
    expect(again.status()[0]).toMatchObject({ waiting: 0, delivered: 1 });
  });

  test("report what opened and settled while no hub ran, each event once", async () => {
    const { ask, answer, ids, notify, settled, startAgain } = await scene({ targets: [target()], remote: { file: path() } });
    const before = await ask();
    await settled();
    await notify.close();
    await answer(before);
    const during = await ask();
    const again = await startAgain();
    await settled();
    await again.close();
    await startAgain();
    await answer(during);
    await settled();
    const [first, ...rest] = ids();
    expect(first).toBe(`${before}.opened`);
    expect(rest.slice(0, 2).sort()).toEqual([`${before}.settled`, `${during}.opened`].sort());
    expect(rest.slice(2)).toEqual([`${during}.settled`]);
  });

  test("send each message of a session's thread under its own id", async () => {
    const targets = [target({ events: ["session.asked_back", "session.replied_back"] })];
    const { ask, asker, bodies, desk, ids, notify, settled, startAgain } = await scene({ targets, remote: { file: path() } });
    const id = await ask();
    await desk.askBack(id, { text: "Why?" });
    await settled();
    await notify.close();
    await startAgain();
    await asker.resume(id, { reply: "Because.", maxWait: 0 });
    await settled();
    expect(new Set(ids()).size).toBe(2);
    expect(bodies()).toMatchObject([
      { type: "session.asked_back", data: { session: { id, status: "pending" }, message: { text: "Why?", by: { surface: "cli" } } } },
      { type: "session.replied_back", data: { session: { id }, message: { text: "Because.", by: { surface: "asker" } } } },
    ]);
  });

  test("count a session as announced only once it is decided which hub sends it", async () => {
    const file = path();
    const claim = () => new Promise<boolean>(() => {});
    const { ask, notify, settled, startAgain } = await scene({ targets: [target()], remote: { file, claim } });
    const id = await ask();
    await notify.close();
    expect(readFileSync(file, "utf8")).not.toContain(id);
    const again = await startAgain({}, { claim: async () => true });
    await settled();
    expect(again.status()[0]?.delivered).toBe(1);
  });

  test("leave an event to another hub that has claimed it, and send it if that is unknown", async () => {
    const claimed = new Set<string>();
    const claim = async (id: string) => !claimed.has(id) && claimed.add(id).size > 0;
    const { ask, answer, ids, notify, settled, startAgain } = await scene({ targets: [target()], remote: { claim } });
    const second = await startAgain();
    const id = await ask();
    await answer(id);
    await settled();
    expect(ids().sort()).toEqual([`${id}.opened`, `${id}.settled`]);
    for (const one of [notify, second]) await one.close();
    await startAgain({}, { claim: () => Promise.reject(new Error("no Redis")) });
    const other = await ask();
    await settled();
    expect(ids()).toContain(`${other}.opened`);
  });

  test("start with what they can read of a damaged file, and log that", async () => {
    const file = path();
    writeFileSync(file, '{"waiting": [{"to": 1}], "told"');
    const { ask, notify, settled, startAgain, warnings } = await scene({ targets: [target()], remote: { file } });
    await ask();
    await settled();
    expect(notify.status()[0]?.delivered).toBe(1);
    await notify.close();
    const event = { id: "x.opened", type: "session.opened", session: { id: "x" } };
    writeFileSync(file, JSON.stringify({ told: 1, waiting: [{ to: 1 }, { to: target().url, attempts: 0, dueAt: 0, event }] }));
    const again = await startAgain();
    await settled();
    expect(again.status()[0]).toMatchObject({ waiting: 0, failed: 1 });
    expect(warnings()).toEqual(["The pending webhooks could not be read.", "A webhook could not be delivered and was dropped."]);
  });
});
