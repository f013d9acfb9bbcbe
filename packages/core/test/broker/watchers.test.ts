import type { AskerInfo, DeskEvent, Draft, SessionView } from "@askbox/core";
import { statusOf } from "@askbox/core/machine";
import { anAsk, anAsker, aRecord, settled } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";
import { Watchers } from "../../src/broker/watchers.ts";

function aView(
  id: string,
  { revision = 1, isOpen = true, asker = anAsker() }: { revision?: number; isOpen?: boolean; asker?: AskerInfo } = {},
) {
  const record = isOpen ? aRecord({ id }) : settled(aRecord({ id }));
  const { createdAt, closedAt, state, delivery } = record;
  const view: SessionView = {
    id,
    revision,
    status: statusOf(state),
    asker,
    questions: anAsk().questions,
    createdAt,
    deadlineAt: null,
    closedAt,
    delivery,
    presence: { asker: "away", openIn: [] },
  };
  return view;
}
const session = (...args: Parameters<typeof aView>): DeskEvent => ({ type: "session", session: aView(...args) });
const draftOf = (sessionId: string): Draft => ({ sessionId, revision: 1, fields: {}, updatedAt: 1, by: { surface: "web" } });
const draft = (sessionId: string): DeskEvent => ({ type: "draft", draft: draftOf(sessionId) });
const erased = (sessionId: string): DeskEvent => ({ type: "draft_erased", sessionId });

/** The events, each as a short text. */
function short(event: DeskEvent): string {
  if (event.type === "snapshot")
    return `snapshot ${event.sessions.map(({ id }) => id)} | ${event.drafts.map(({ sessionId }) => sessionId)}`;
  if (event.type === "session") return `session ${event.session.id} ${event.session.revision}`;
  return `${event.type} ${event.type === "draft" ? event.draft.sessionId : event.sessionId}`;
}

async function watched(filter: { project?: string; agentId?: string } = {}, known: SessionView[] = [aView("a")], drafts: Draft[] = []) {
  const logged: unknown[] = [];
  const watchers = new Watchers((...entry) => void logged.push(entry));
  const told: string[] = [];
  const stop = await watchers.add(
    filter,
    (event) => void told.push(short(event)),
    async () => ({ sessions: known, drafts }),
  );
  return { logged, stop, told, watchers };
}

describe("a watching desk", () => {
  test("gets a snapshot, then changes", async () => {
    const { told, watchers } = await watched({}, [aView("a"), aView("b")], [draftOf("a"), draftOf("elsewhere")]);
    watchers.publish(session("a", { revision: 2 }));
    watchers.publish({ type: "removed", sessionId: "b" });
    expect(told).toEqual(["snapshot a,b | a", "session a 2", "removed b"]);
    expect(watchers.size).toBe(1);
  });

  // promise: watch-says-opened
  test("is told which session is new to it, once, and that the same way as every other desk", async () => {
    const watchers = new Watchers(() => {});
    const seen: DeskEvent[][] = [[], []];
    let ready = () => {};
    const reading = new Promise<void>((resolve) => {
      ready = resolve;
    });
    const early = watchers.add(
      {},
      (event) => void seen[0]?.push(event),
      async () => {
        await reading;
        return { sessions: [aView("a")], drafts: [] };
      },
    );
    await watchers.add(
      {},
      (event) => void seen[1]?.push(event),
      async () => ({ sessions: [], drafts: [] }),
    );
    watchers.publish(session("b"));
    ready();
    await early;
    for (const event of [session("a", { revision: 2 }), session("b", { revision: 2 }), session("c"), session("c", { isOpen: false })]) {
      watchers.publish(event);
    }
    const opened = seen.map((events) => events.flatMap((event) => (event.type === "session" && event.opened ? [event.session.id] : [])));
    expect(opened).toEqual([
      ["b", "c"],
      ["b", "a", "c"],
    ]);
    // One object for both: it is sent as text that is made once.
    const first = (events: readonly DeskEvent[] = []) => events.find((event) => event.type === "session" && event.opened);
    expect(first(seen[0])).toBe(first(seen[1]));
  });

  test("gets drafts of the open sessions it knows, and of no others", async () => {
    const { told, watchers } = await watched();
    told.splice(0);
    for (const event of [draft("a"), erased("a"), draft("b"), erased("b")]) watchers.publish(event);
    expect(told.splice(0)).toEqual(["draft a", "draft_erased a"]);
    watchers.publish(session("b"));
    watchers.publish(session("a", { isOpen: false }));
    told.splice(0);
    for (const event of [draft("a"), erased("a"), draft("b"), erased("b")]) watchers.publish(event);
    expect(told.splice(0)).toEqual(["draft b", "draft_erased b"]);
    watchers.publish({ type: "removed", sessionId: "b" });
    told.splice(0);
    watchers.publish(draft("b"));
    expect(told).toEqual([]);
  });

  test("filtered by project or agent gets no others", async () => {
    const asker = (project: string, agentId: string) => anAsker({ project, agentId });
    const events = [
      session("a", { asker: asker("/engine", "one") }),
      session("b", { asker: asker("/engine", "two") }),
      session("c", { asker: asker("/mill", "one") }),
    ];
    for (const [filter, ids] of [
      [{}, ["session a 1", "session b 1", "session c 1"]],
      [{ project: "/engine" }, ["session a 1", "session b 1"]],
      [{ agentId: "one" }, ["session a 1", "session c 1"]],
      [{ project: "/engine", agentId: "one" }, ["session a 1"]],
    ] as const) {
      const { told, watchers } = await watched(filter, []);
      for (const event of events) watchers.publish(event);
      expect(told.slice(1)).toEqual(ids);
    }
  });

  test("misses nothing that happens while the snapshot is read, and gets nothing older than it", async () => {
    const watchers = new Watchers(() => {});
    const told: string[] = [];
    const read = Promise.withResolvers<{ sessions: SessionView[]; drafts: Draft[] }>();
    const adding = watchers.add(
      {},
      (event) => void told.push(short(event)),
      () => read.promise,
    );
    for (const revision of [1, 2, 3]) watchers.publish(session("a", { revision }));
    watchers.publish(session("b"));
    watchers.publish(draft("a"));
    expect(told).toEqual([]);
    read.resolve({ sessions: [aView("a", { revision: 2 })], drafts: [] });
    await adding;
    expect(told).toEqual(["snapshot a | ", "session a 2", "session a 3", "session b 1", "draft a"]);
  });

  test("gets nothing more once it has stopped or the hub is closed", async () => {
    const { stop, told, watchers } = await watched();
    stop();
    watchers.publish(session("a"));
    expect([told, watchers.size]).toEqual([["snapshot a | "], 0]);
    const other = await watched();
    other.watchers.close();
    other.watchers.publish(session("a"));
    expect([other.told, other.watchers.size]).toEqual([["snapshot a | "], 0]);
  });

  test("does not watch if the snapshot cannot be read", async () => {
    const watchers = new Watchers(() => {});
    const adding = watchers.add(
      {},
      () => {},
      () => Promise.reject(new Error("locked")),
    );
    await expect(adding).rejects.toThrow("locked");
    expect(watchers.size).toBe(0);
  });

  test("that fails does not affect the others, and its failure is logged", async () => {
    const { logged, told, watchers } = await watched();
    const fail = () => {
      throw new Error("drawn wrong");
    };
    await watchers.add({}, fail, async () => ({ sessions: [], drafts: [] }));
    await watchers.add(
      {},
      (event) => void told.push(short(event)),
      async () => ({ sessions: [], drafts: [] }),
    );
    told.splice(0);
    watchers.publish(session("a"));
    expect(told).toEqual(["session a 1", "session a 1"]);
    expect(logged).toEqual([
      ["error", "A watcher failed on an event", { type: "snapshot", error: "Error: drawn wrong" }],
      ["error", "A watcher failed on an event", { type: "session", error: "Error: drawn wrong" }],
    ]);
  });
});
