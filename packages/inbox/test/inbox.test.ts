import { AskboxError, type Desk, type SessionView } from "@askbox/core";
import { resumed, validSet } from "@askbox/core/testing";
import { expect, test } from "vitest";
import { agentHasLeft, filterSessions, sessionTitle, sortSessions, splitByPresence } from "../src/index.ts";
import { aWorld } from "./support.ts";

test("the inbox shows pending sessions and new ones", async () => {
  const world = await aWorld();
  const first = await world.ask();
  const { inbox } = await world.device();
  const arrived: string[] = [];
  inbox.onArrival((session) => arrived.push(session.id));
  expect([...inbox.getState().pending.keys()]).toEqual([first]);

  const second = await world.ask({ title: "Another" });
  expect([...inbox.getState().pending.keys()]).toEqual([first, second]);
  expect(arrived).toEqual([second]);
});

test("a listener that comes late is called for what arrived before it and is pending; a second one isn't", async () => {
  const world = await aWorld();
  await world.ask();
  const { inbox } = await world.device();
  const settled = await world.ask({ title: "Settled" });
  const waiting = await world.ask({ title: "Waiting" });
  await world.broker.desk({ surface: "terminal" }).answer(settled, validSet());
  await world.settle();
  const arrived: string[] = [];
  inbox.onArrival((session) => arrived.push(session.id));
  inbox.onArrival((session) => arrived.push(session.id));
  expect(arrived).toEqual([waiting]);
});

test("a first page of the oldest is there before the snapshot, which then replaces it without announcing it", async () => {
  const world = await aWorld();
  const ids: string[] = [];
  for (const title of ["First", "Second", "Third"]) {
    ids.push(await world.ask({ title }));
    await world.clock.advance(1);
  }
  const [first = "", second, third] = ids;
  const late = Promise.withResolvers<void>();
  const { inbox } = await world.device(undefined, {
    firstPage: 2,
    desk: (desk) => ({
      ...bound(desk),
      async watch(filter, listener) {
        await late.promise;
        return desk.watch(filter, listener);
      },
    }),
  });
  const arrived: string[] = [];
  inbox.onArrival((session) => arrived.push(session.id));
  const shown = () => [inbox.getState().ready, ...inbox.getState().pending.keys()];
  expect(shown()).toEqual([false, first, second]);
  // Settled before the snapshot is read.
  await world.broker.desk({ surface: "terminal" }).answer(first, validSet());
  late.resolve();
  await world.settle();
  expect(shown()).toEqual([true, second, third]);
  expect(arrived).toEqual([]);
});

test("a session's presence changes with its asker and with the people who have it open", async () => {
  const world = await aWorld();
  const id = await world.ask();
  const { inbox } = await world.device();
  const shown = () => inbox.getState().pending.get(id)?.presence;
  const leave = await world.broker.desk({ surface: "terminal", name: "Bob" }).attend(id);
  await world.settle();
  expect(shown()?.openIn).toEqual([{ surface: "terminal", name: "Bob" }]);
  leave();
  const gone = new AbortController();
  const waiting = world.asker.resume(id, { signal: gone.signal });
  await world.settle();
  expect(shown()).toMatchObject({ asker: "attached", openIn: [] });
  gone.abort();
  await expect(waiting).rejects.toMatchObject({ code: "ABORTED" });
  await world.settle();
  expect(shown()?.asker).toBe("away");
});

test("an agent's reply is announced like a new question, and a person's message is not", async () => {
  const world = await aWorld();
  const id = await world.ask();
  const { inbox } = await world.device();
  const arrived: string[] = [];
  inbox.onArrival((session) => arrived.push(session.id));
  await world.broker.desk({ surface: "terminal" }).askBack(id, { text: "Why?" });
  await world.settle();
  expect([arrived, inbox.find(id)?.thread?.length]).toEqual([[], 1]);
  await world.asker.resume(id, { reply: "Because.", maxWait: 0 });
  await world.settle();
  expect([arrived, inbox.find(id)?.thread?.length]).toEqual([[id], 2]);
});

test("a settled session is no longer pending but kept with its outcome", async () => {
  const world = await aWorld();
  const id = await world.ask();
  const { inbox } = await world.device();
  await world.broker.desk({ surface: "terminal", name: "Ada" }).answer(id, validSet());
  await world.settle();
  expect(inbox.getState().pending.size).toBe(0);
  expect(inbox.find(id)).toMatchObject({ status: "answered", outcome: { by: { surface: "terminal", name: "Ada" } } });
});

test("a session settled while the connection was lost is looked up after the next snapshot", async () => {
  const world = await aWorld();
  const id = await world.ask();
  let publish: (event: { type: "snapshot"; sessions: SessionView[]; drafts: [] }) => void = () => {};
  const { inbox } = await world.device(undefined, {
    desk: (desk) => ({
      ...bound(desk),
      watch: async (filter, listener) => {
        publish = listener;
        let told = false;
        return desk.watch(filter, (event) => {
          if (!told) listener(event);
          told = true;
        });
      },
    }),
  });
  await world.broker.desk({ surface: "cli" }).cancel(id);
  expect(inbox.find(id)?.status).toBe("pending");
  publish({ type: "snapshot", sessions: [], drafts: [] });
  await world.settle();
  expect(inbox.find(id)).toMatchObject({ status: "cancelled", outcome: { by: { surface: "cli" } } });
});

test("a failed watch is retried, unless the hub rejects it", async () => {
  const world = await aWorld();
  await world.ask();
  const failures = [new AskboxError("HUB_UNREACHABLE", "Start the hub."), new AskboxError("STORE_UNAVAILABLE", "Free the disk.")];
  const { inbox } = await world.device(undefined, {
    desk: (desk) => ({
      ...bound(desk),
      watch: (filter, listener) => {
        const failure = failures.shift();
        return failure === undefined ? desk.watch(filter, listener) : Promise.reject(failure);
      },
    }),
  });
  expect(inbox.getState().ready).toBe(false);
  // Twice, after 2 s each.
  await world.clock.advance(3_999);
  expect(inbox.getState().ready).toBe(false);
  await world.clock.advance(1);
  expect(inbox.getState()).toMatchObject({ ready: true, refusal: undefined });

  const refused = await world.device(undefined, {
    desk: (desk) => ({ ...bound(desk), watch: () => Promise.reject(new AskboxError("UNAUTHORIZED", "The hub does not know this token.")) }),
  });
  expect(refused.inbox.getState()).toMatchObject({ connection: "closed", refusal: { code: "UNAUTHORIZED" } });
});

test("sessions are sorted by deadline or age, and found by all search words", async () => {
  const world = await aWorld();
  const slow = await world.ask({ title: "Slow", timeout: 600_000 });
  await world.clock.advance(1_000);
  const quick = await world.ask({ title: "Quick", timeout: 60_000 }, "/home/ada/other");
  await world.clock.advance(1_000);
  const middle = await world.ask({ title: "Middle", timeout: 300_000 });
  const { inbox } = await world.device();
  const all = [...inbox.getState().pending.values()];
  expect(sortSessions(all, "deadline").map(({ id }) => id)).toEqual([quick, middle, slow]);
  expect(sortSessions(all, "newest").map(({ id }) => id)).toEqual([middle, quick, slow]);
  expect(filterSessions(all, { text: "POSTGRES slow" }).map(sessionTitle)).toEqual(["Slow"]);
  expect(filterSessions(all, { project: "/home/ada/other" }).map(sessionTitle)).toEqual(["Quick"]);
});

test.each([
  ["## Which **port** does `serve` take,\n see [the plan](https://example.com/plan)?", "Which port does serve take, see the plan?"],
  ["Is 2 ** 3 ** 2 what **you** meant by a_b_c?", "Is 2 ** 3 ** 2 what you meant by a_b_c?"],
])("a session named by its question is one line without markup: %j", async (question, title) => {
  const world = await aWorld();
  const id = await world.ask({ title: undefined, questions: [{ id: "q", type: "text", question, required: true }] });
  const { inbox } = await world.device();
  expect(sessionTitle(inbox.find(id) as SessionView)).toBe(title);
});

test("an agent that has been away for over two minutes has left", async () => {
  const world = await aWorld();
  const id = await world.ask();
  const waited = new AbortController();
  const wait = resumed(world.asker, id, { signal: waited.signal }).catch(() => {});
  const { inbox } = await world.device();
  const isGone = () => [...inbox.getState().pending.values()].map((session) => agentHasLeft(session, world.clock.now()));
  expect(isGone()).toEqual([false]);
  waited.abort();
  await wait;
  await world.clock.advance(120_000);
  expect(isGone()).toEqual([false]);
  await world.clock.advance(1_000);
  expect(isGone()).toEqual([true]);
  expect(splitByPresence(inbox.getState().pending.values(), world.clock.now()).left.map((session) => session.id)).toEqual([id]);
});

/** A desk whose methods can be spread: those of a class are not own properties. */
function bound(desk: Desk): Desk {
  const names = Object.getOwnPropertyNames(Object.getPrototypeOf(desk));
  return Object.assign(Object.create(null), Object.fromEntries(names.map((name) => [name, Reflect.get(desk, name).bind(desk)])));
}
