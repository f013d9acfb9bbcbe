import { type DeskEvent, memoryStore, type SessionStore } from "@askbox/core";
import { anAsk, anAsker, aRecord, bob, validSet } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";
import { aHub, aSwitch, text, textOnly } from "./support.ts";

describe("answering at a desk", () => {
  test("stores a comment only if there is one, with and without a delay", async () => {
    const { clock, desk, opened } = await aHub();
    const { session } = await opened();
    expect((await desk.answer(session.id, text())).outcome).not.toHaveProperty("comment");
    const second = await opened();
    await desk.answer(second.session.id, text(), { delay: 1_000 });
    expect((await desk.get(second.session.id)).scheduled).not.toHaveProperty("comment");
    await clock.advance(1_000);
    const third = await opened();
    const { scheduled } = await desk.answer(third.session.id, { ...text(), comment: "c" }, { delay: 1_000 });
    expect(scheduled).toHaveProperty("comment", "c");
    await clock.advance(1_000);
    expect((await desk.get(third.session.id)).outcome).toHaveProperty("comment", "c");
  });

  test("can be delayed by a minute at most, and not by a negative time", async () => {
    const { desk, opened } = await aHub();
    const { session } = await opened();
    for (const delay of [-1, 60_001]) {
      await expect(desk.answer(session.id, text(), { delay })).rejects.toMatchObject({
        code: "VALIDATION",
        message: "An answer can be delayed by 0 to 60000 ms.",
      });
    }
    await desk.answer(session.id, text(), { delay: 60_000 });
    const second = await opened();
    expect((await desk.answer(second.session.id, text(), { delay: 0 })).status).toBe("answered");
  });

  test("reports an answer that is already being sent, also on cancelling", async () => {
    const { broker, desk, opened } = await aHub();
    const { session } = await opened();
    await desk.answer(session.id, text(), { delay: 1_000 });
    for (const refused of [broker.desk(bob).answer(session.id, text()), broker.desk(bob).cancel(session.id)]) {
      await expect(refused).rejects.toMatchObject({
        code: "CONFLICT",
        message: "Already answered in terminal by Ada; that answer is about to be sent and can still be undone.",
      });
    }
  });
});

describe("listing at a desk by machine", () => {
  test("finds exactly what a machine has asked, page by page, beside any other filter", async () => {
    const { asker, clock, desk } = await aHub();
    const ask = async (machine: string | undefined, key: string, title = key) => {
      await clock.advance(1_000);
      await asker.ask(textOnly({ title }), { asker: anAsker({ machine }), key, maxWait: 0, earlier: false });
    };
    for (let round = 1; round <= 3; round += 1) {
      await ask("build-7", `seven ${round}`);
      await ask("build-70", `seventy ${round}`);
      await ask(undefined, `own ${round}`, "about build-7");
    }
    const titles = async (query: object) => (await desk.list(query)).items.map(({ title }) => title);
    expect(await titles({ machine: "build-7" })).toEqual(["seven 3", "seven 2", "seven 1"]);
    expect(await titles({ machine: "build-7", text: "2" })).toEqual(["seven 2"]);
    expect(await titles({ machine: "Build-7" })).toEqual([]);
    expect(await titles({ machine: "" })).toEqual([]);
    const first = await desk.list({ machine: "build-7", limit: 2 });
    const rest = await titles({ machine: "build-7", limit: 2, cursor: first.nextCursor });
    expect([first.items.map(({ title }) => title), rest]).toEqual([["seven 3", "seven 2"], ["seven 1"]]);
  });

  test("reads no more than 1,000 sessions for a page, however many only mention the machine's name", async () => {
    const record = aRecord({ request: textOnly({ title: "about build-7" }) });
    let read = 0;
    const list: SessionStore["list"] = async ({ text, limit = 0 }) => {
      // What the hub reads when it starts.
      if (text === undefined) return { sessions: [] };
      read += limit;
      return { sessions: Array.from({ length: limit }, (_, at) => ({ ...record, id: `${record.id}-${at}` })), next: "more" };
    };
    const { desk } = await aHub(() => ({ list }));
    expect(await desk.list({ machine: "build-7", limit: 100 })).toEqual({ items: [], nextCursor: "more" });
    expect(read).toBe(1_000);
  });
});

describe("extending a deadline at a desk", () => {
  test("gives between a second and a day, or no deadline", async () => {
    const { desk, opened } = await aHub();
    const { session } = await opened(textOnly({ timeout: 10_000 }));
    for (const timeout of [999, 86_400_001, Number.NaN]) {
      await expect(desk.extend(session.id, { timeout })).rejects.toMatchObject({
        code: "VALIDATION",
        message: "timeout must be from 1000 to 86400000 ms, or null for no deadline",
      });
    }
    expect((await desk.extend(session.id, { timeout: 86_400_000 })).deadlineAt).toBe(session.createdAt + 86_400_000);
    expect((await desk.extend(session.id, { timeout: null })).deadlineAt).toBeNull();
  });

  test("never gives less time than is left, and nothing if there is no deadline", async () => {
    const { clock, desk, opened } = await aHub();
    const { session } = await opened(textOnly({ timeout: 10_000 }));
    const notLater = { code: "VALIDATION", message: "The deadline can only be moved to a later time." };
    await expect(desk.extend(session.id, { timeout: 10_000 })).rejects.toMatchObject(notLater);
    await clock.advance(9_000);
    await expect(desk.extend(session.id, { timeout: 1_000 })).rejects.toMatchObject(notLater);
    expect((await desk.extend(session.id, { timeout: 1_001 })).deadlineAt).toBe(session.createdAt + 10_001);
    await desk.extend(session.id, { timeout: null });
    for (const timeout of [86_400_000, null]) await expect(desk.extend(session.id, { timeout })).rejects.toMatchObject(notLater);
  });

  test("extends the stored deadline even if the wall clock was set back", async () => {
    const { clock, desk, opened, store } = await aHub();
    const { session } = await opened(textOnly({ timeout: 10_000 }));
    clock.jumpWall(-3_600_000);
    await desk.extend(session.id, { timeout: 20_000 });
    expect((await store.get(session.id))?.context.deadlineAt).toBe(session.createdAt + 10_001);
    await clock.advance(19_999);
    expect((await desk.get(session.id)).status).toBe("pending");
    await clock.advance(1);
    expect((await desk.get(session.id)).status).toBe("timed_out");
  });
});

describe("finding a session at a desk", () => {
  test("is rejected if several match the prefix, if none does, or if it is too short", async () => {
    const hub = await aHub();
    for (const id of ["abcd1", "abcd2", "xyz"]) await hub.store.insert(aRecord({ id }));
    await expect(hub.desk.get("abcd")).rejects.toMatchObject({
      code: "AMBIGUOUS_ID",
      message: "Several sessions begin with abcd; use more characters of the id.",
    });
    for (const id of ["abc", "xy", "zzzz"]) await expect(hub.desk.get(id)).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
    await expect(hub.desk.get("ABC")).rejects.toThrow("Give at least the first 4 characters of the id; ABC is too short.");
    expect((await hub.desk.get("xyz")).id).toBe("xyz");
    expect((await hub.desk.get("ABCD1")).id).toBe("abcd1");
  });

  test("ends pages early if sessions are large, and returns none twice or not at all", async () => {
    const { store, desk } = await aHub();
    const preview = "x".repeat(250_000);
    const [question] = anAsk().questions;
    const large = { ...question, type: "choice" as const, id: "q", question: "Which?", required: true };
    const request = { ...anAsk(), questions: [{ ...large, options: [{ label: "A", value: "a", preview }] }] } as never;
    for (let number = 0; number < 120; number += 1) await store.insert(aRecord({ id: `s${number}`, createdAt: number, request }));
    const seen: string[] = [];
    let pages = 0;
    let cursor: string | undefined;
    do {
      const page = await desk.list({ limit: 1_000, order: "oldest", cursor });
      // 4 MB, plus what is read along with the session that exceeds it.
      expect(page.items.length).toBeLessThanOrEqual(50);
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
      pages += 1;
    } while (cursor !== undefined);
    expect(seen).toEqual(Array.from({ length: 120 }, (_, number) => `s${number}`));
    expect(pages).toBe(3);
    expect((await desk.list({ limit: 10 })).items).toHaveLength(10);
  });
});

describe("opening a session at a desk", () => {
  test("marks it as seen the first time, but not if it is settled", async () => {
    const { clock, desk, opened, store } = await aHub();
    const { session } = await opened();
    await clock.advance(5);
    await desk.attend(session.id);
    await clock.advance(5);
    await desk.attend(session.id);
    expect(await store.get(session.id)).toMatchObject({ revision: 2, seenAt: session.createdAt + 5 });
    const second = await opened(textOnly(), { agentId: "agent-2" });
    await desk.cancel(second.session.id);
    await desk.attend(second.session.id);
    expect(await store.get(second.session.id)).toMatchObject({ revision: 2 });
    expect(await store.get(second.session.id)).not.toHaveProperty("seenAt");
  });

  test("leaves it if this cannot be written", async () => {
    const full = aSwitch();
    const { desk, opened } = await aHub((store) => ({ replace: (...args) => full.orElse(() => store.replace(...args)) }));
    const { session } = await opened();
    full.turnOn();
    await expect(desk.attend(session.id)).rejects.toThrow("disk full");
    expect((await desk.get(session.id)).presence.openIn).toEqual([]);
  });

  test("leaves it when the desk is closed, which also ends its watches", async () => {
    const { broker, desk, opened } = await aHub();
    const { session } = await opened();
    const other = broker.desk(bob);
    await other.attend(session.id);
    await other.watch({}, () => {});
    const watch = await desk.watch({}, () => {});
    expect([broker.stats().watching, (await desk.get(session.id)).presence.openIn]).toEqual([2, [bob]]);
    other.close();
    expect([broker.stats().watching, (await desk.get(session.id)).presence.openIn]).toEqual([1, []]);
    watch.close();
    expect(broker.stats().watching).toBe(0);
  });

  test("rejects a draft with a field for a question that is not asked", async () => {
    const { desk, opened } = await aHub();
    const { session } = await opened();
    await expect(desk.saveDraft(session.id, { fields: { q_text: {}, q_other: {} } })).rejects.toMatchObject({
      code: "VALIDATION",
      message: 'No question of this session has the id "q_other".',
    });
    expect(await desk.saveDraft(session.id, { comment: "c" })).toMatchObject({ comment: "c", fields: {} });
  });
});

describe("watching at a desk", () => {
  test("one session reads and reports only that one", async () => {
    const read: string[] = [];
    const { asker, desk, opened, store } = await aHub((memory) => ({
      async list(query) {
        const page = await memory.list(query);
        read.push(...page.sessions.map(({ id }) => id));
        return page;
      },
    }));
    const ids: string[] = [];
    for (const agentId of ["a", "b", "c"]) ids.push((await opened(textOnly(), { agentId })).session.id);
    const [first = "", second = "", third = ""] = ids;
    for (const id of ids) await desk.saveDraft(id, { comment: id });
    read.splice(0);
    const events: string[] = [];
    await desk.watch({ sessionId: second }, (event) => {
      if (event.type === "snapshot") events.push(...event.sessions.map(({ id }) => id), ...event.drafts.map(({ sessionId }) => sessionId));
      else events.push(event.type, event.type === "session" ? event.session.id : "");
    });
    expect([read, events]).toEqual([[second], [second, second]]);
    events.splice(0);
    await asker.withdraw(first);
    await asker.withdraw(third);
    await store.remove({ closedBefore: Number.POSITIVE_INFINITY });
    expect(events).toEqual([]);
    await desk.answer(second, text());
    expect(events).toContain(second);
    expect(events.filter((event) => event === "removed")).toEqual([]);
    await store.remove({ closedBefore: Number.POSITIVE_INFINITY });
    expect(events.filter((event) => event === "removed")).toHaveLength(1);
  });

  test("starts with all pending sessions, oldest first, filtered by project and agent", async () => {
    const store = memoryStore();
    for (let number = 0; number < 1_001; number += 1) {
      const asker = anAsker({ project: number % 2 === 0 ? "/even" : "/odd", agentId: `agent-${number % 3}` });
      await store.insert(aRecord({ id: `s${String(number).padStart(4, "0")}`, createdAt: number, asker, context: { deadlineAt: null } }));
    }
    const { desk } = await aHub(() => store);
    const told = async (filter: { project?: string; agentId?: string }) => {
      const events: DeskEvent[] = [];
      await desk.watch(filter, (event) => void events.push(event));
      const [event] = events;
      return event?.type === "snapshot" ? event.sessions.map(({ createdAt }) => createdAt) : [];
    };
    const all = Array.from({ length: 1_001 }, (_, number) => number);
    expect(await told({})).toEqual(all);
    expect(await told({ project: "/odd" })).toEqual(all.filter((number) => number % 2 === 1));
    expect(await told({ agentId: "agent-2" })).toEqual(all.filter((number) => number % 3 === 2));
    expect(await told({ project: "/even", agentId: "agent-0" })).toEqual(all.filter((number) => number % 6 === 0));
  });

  test("reports changed and removed drafts, and removed sessions", async () => {
    const { clock, desk, opened, store } = await aHub(undefined, { retention: 3_600_000 });
    const events: string[] = [];
    await desk.watch({}, (event) => void events.push(event.type));
    const { session } = await opened(anAsk());
    await clock.advance(0);
    events.splice(0);
    await desk.saveDraft(session.id, { comment: "c" });
    await clock.advance(0);
    expect(events.splice(0)).toEqual(["draft", "session"]);
    await desk.answer(session.id, validSet());
    await clock.advance(0);
    expect(events.splice(0)).toContain("draft_erased");
    await store.remove({ closedBefore: clock.now() + 1 });
    await clock.advance(0);
    expect(events).toEqual(["removed"]);
  });
});
