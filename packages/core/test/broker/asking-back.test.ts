import { createBroker, type SessionRecord } from "@askbox/core";
import { anAsk, anAsker, testPlatform } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";
import { aHub, aSwitch, text, textOnly } from "./support.ts";

const ask = { asker: anAsker(), earlier: false, maxWait: 0 } as const;
const better = () => anAsk({ questions: anAsk().questions.slice(0, 2) });

describe("a message to an agent", () => {
  // promise: message-not-lost
  test("survives the hub being killed before its asker receives it", async () => {
    const hub = await aHub();
    const { session } = await hub.opened();
    await hub.desk.askBack(session.id, { text: "Why?" });
    const next = await createBroker({ store: hub.store, ...testPlatform() });
    const { session: asked } = await next.asker("owner-1").resume(session.id);
    expect(asked).toMatchObject({ state: "pending", thread: [{ text: "Why?", by: { surface: "terminal", name: "Ada" } }] });
  });

  test("counts as delivered with the reply to it, even if the call that had it could not confirm", async () => {
    const { asker, desk, opened } = await aHub();
    const { session } = await opened();
    await desk.askBack(session.id, { text: "Why?" });
    await asker.resume(session.id);
    await desk.askBack(session.id, { text: "And when?" });
    const { session: next } = await asker.resume(session.id, { reply: "Because." });
    expect(next.thread.map(({ text, deliveredAt }) => [text, deliveredAt !== undefined])).toEqual([
      ["Why?", true],
      ["And when?", false],
      ["Because.", false],
    ]);
  });

  test("counts as seen by its author", async () => {
    const { desk, opened, platform } = await aHub();
    const { session } = await opened();
    expect((await desk.askBack(session.id, { text: "Why?" })).seenAt).toBe(platform.clock.now());
  });

  // promise: message-sent-on-disk
  test("does not exist if it cannot be written", async () => {
    const full = aSwitch();
    const { desk, opened } = await aHub((store) => ({ replace: (...change) => full.orElse(() => store.replace(...change)) }));
    const { session } = await opened();
    full.turnOn();
    await expect(desk.askBack(session.id, { text: "Why?" })).rejects.toThrow("disk full");
    expect((await desk.get(session.id)).thread).toBeUndefined();
  });

  // promise: answer-beats-message
  test("sent just after the answer is delivered with the agent's next call, once, without repeating the answer", async () => {
    const { asker, desk, opened } = await aHub();
    const { session } = await opened();
    await desk.answer(session.id, text());
    await (await asker.resume(session.id)).ack();
    await expect(desk.askBack(session.id, { text: "Why?" })).rejects.toThrow(
      "This session was already answered in terminal by Ada; your message is kept in its thread, and the agent is given it.",
    );
    const again = await asker.ask(textOnly(), { ...ask });
    expect(again).toMatchObject({ late: false, session: { state: "pending" } });
    const { earlier, ack } = await asker.collect(anAsker());
    expect(earlier).toMatchObject([{ id: session.id, thread: [{ text: "Why?" }] }]);
    await ack();
    expect((await asker.collect(anAsker())).earlier).toEqual([]);
  });

  test("does not end the waits of other sessions, nor a second one after it was delivered", async () => {
    const { asker, desk, opened, clock } = await aHub();
    const [{ session }, { session: other }] = [await opened(), await opened(better())];
    let ended = false;
    const wait = asker.resume(other.id).finally(() => {
      ended = true;
    });
    await desk.askBack(session.id, { text: "Why?" });
    await (await asker.resume(session.id)).ack();
    const second = asker.resume(session.id, { maxWait: 5_000 });
    await clock.advance(5_000);
    expect((await second).session.thread).toHaveLength(1);
    expect(ended).toBe(false);
    await desk.cancel(other.id);
    await wait;
  });
});

describe("questions that replace others", () => {
  const drafts = { fields: { q_text: { values: ["lathe"] } }, reason: "Not today" };

  // promise: replacing-keeps-drafts
  test("take over after the hub was killed while they were doing so", async () => {
    const full = aSwitch();
    const { asker, desk, opened, store } = await aHub((memory) => ({
      replace: (...change) => full.orElse(() => memory.replace(...change)),
    }));
    const { session } = await opened();
    await desk.askBack(session.id, { text: "Which module?" });
    await desk.saveDraft(session.id, drafts);
    full.turnOn();
    await expect(asker.ask(better(), { ...ask, replaces: session.id })).rejects.toThrow("disk full");
    expect((await desk.list({ statuses: ["pending"] })).items).toHaveLength(2);

    const next = (await createBroker({ store, ...testPlatform() })).desk({ surface: "web" });
    const { items } = await next.list({ statuses: ["pending"] });
    expect(items).toMatchObject([{ replaces: session.id, thread: [{ text: "Which module?" }] }]);
    expect(await next.get(session.id)).toMatchObject({ status: "cancelled", replacedBy: items[0]?.id });
    expect(await next.getDraft(items[0]?.id ?? "")).toMatchObject(drafts);
  });

  test("take over though the draft has nothing for a question that is called constructor", async () => {
    const { asker, desk } = await aHub();
    const asked = () => anAsk({ questions: [{ id: "constructor", type: "text", question: "Which?", required: true }] });
    const { session } = await asker.ask(asked(), ask);
    await desk.saveDraft(session.id, { comment: "hm" });
    const { session: next } = await asker.ask(asked(), { ...ask, replaces: session.id });
    expect(await desk.getDraft(next.id)).toMatchObject({ fields: {}, comment: "hm" });
  });

  // promise: answer-beats-message
  test("are withdrawn if the others are answered at that moment, and the asker gets the answer", async () => {
    let onInsert: (record: SessionRecord) => Promise<unknown> = async () => {};
    const hub = await aHub((memory) => ({
      async insert(record) {
        const result = await memory.insert(record);
        await onInsert(record);
        return result;
      },
    }));
    const { session } = await hub.opened();
    await hub.desk.askBack(session.id, { text: "Which module?" });
    onInsert = () => hub.desk.answer(session.id, text());
    const result = await hub.asker.ask(better(), { ...ask, replaces: session.id });
    expect(result).toMatchObject({ late: true, session: { id: session.id, state: "answered" } });
    expect((await hub.desk.list({ statuses: ["pending"] })).items).toEqual([]);
    await result.ack();
    expect((await hub.asker.collect(anAsker())).earlier).toEqual([]);
  });

  // promise: message-not-lost
  test("return a message that was asked back at that moment", async () => {
    let onInsert: (record: SessionRecord) => Promise<unknown> = async () => {};
    const hub = await aHub((memory) => ({
      async insert(record) {
        const result = await memory.insert(record);
        await onInsert(record);
        return result;
      },
    }));
    const { session } = await hub.opened();
    await hub.desk.askBack(session.id, { text: "Which module?" });
    await (await hub.asker.resume(session.id)).ack();
    onInsert = () => hub.desk.askBack(session.id, { text: "And when?" });
    const { session: fresh } = await hub.asker.ask(better(), { asker: anAsker(), earlier: false, replaces: session.id });
    expect(fresh.thread.map(({ text, deliveredAt }) => [text, deliveredAt !== undefined])).toEqual([
      ["Which module?", true],
      ["And when?", false],
    ]);
  });

  test("wait for a sent answer that can still be undone", async () => {
    const hub = await aHub();
    const { session } = await hub.opened();
    await hub.desk.answer(session.id, text(), { delay: 5_000 });
    const result = await hub.asker.ask(better(), { ...ask, replaces: session.id });
    expect(result.session).toMatchObject({ id: session.id, state: "answered" });
  });
});
