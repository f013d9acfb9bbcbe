import type { DeskEvent } from "../../ports/desk.ts";
import { assert, assertEqual, type ContractCase } from "../contract.ts";
import { anAsker } from "../fixtures.ts";
import { ada, ask, bob, type PortsHarness, portsCase, resumed, validSet } from "../ports-harness.ts";

/** The contract for watching. */
export const deskWatching: readonly ContractCase<PortsHarness>[] = [
  portsCase("everybody sees who has a session open, and that it was seen is stored", async (inbox) => {
    const { session } = await ask(await inbox.asker());
    const first = await inbox.desk(ada);
    const second = await inbox.desk(bob);
    assertEqual((await first.get(session.id)).seenAt, undefined, "before");
    const leave = await first.attend(session.id);
    assertEqual((await second.get(session.id)).presence.openIn, [ada], "who has it open");
    leave();
    await inbox.until(async () => (await second.get(session.id)).presence.openIn.length === 0);
    assert((await second.get(session.id)).seenAt !== undefined, "that it was seen is kept");
  }),

  portsCase("everybody sees how many sessions ended, and how", async (inbox) => {
    const asker = await inbox.asker();
    const desk = await inbox.desk(ada);
    const { session } = await ask(asker);
    await ask(asker);
    await desk.cancel(session.id);
    const { total, counts, days } = await desk.tally([session.createdAt - 1, session.createdAt]);
    assertEqual([total, counts.cancelled], [1, 1], "the ended ones");
    assertEqual(
      days.map((each) => each.counts.cancelled),
      [0, 1],
      "by day",
    );
  }),

  portsCase("a watch reports pending sessions, then each change in revision order", async (inbox) => {
    const asker = await inbox.asker();
    const desk = await inbox.desk(ada);
    const { session: old } = await ask(asker);
    const events: DeskEvent[] = [];
    const watch = await (await inbox.desk(bob)).watch({}, (event) => events.push(event));
    const [snapshot] = events;
    assert(snapshot?.type === "snapshot", "the snapshot comes first");
    assertEqual(
      snapshot.sessions.map(({ id }) => id),
      [old.id],
      "the snapshot",
    );
    const { session } = await ask(asker);
    await desk.saveDraft(session.id, { comment: "hm" });
    await desk.extend(session.id, { timeout: 600_000 });
    await desk.answer(session.id, validSet());
    const seen = () => events.flatMap((event) => (event.type === "session" && event.session.id === session.id ? [event.session] : []));
    await inbox.until(() => seen().some(({ status }) => status === "answered"));
    assertEqual(
      events.flatMap((event) => (event.type === "session" && event.opened === true ? [event.session.id] : [])),
      [session.id],
      "what was opened, not what the snapshot had or what changed",
    );
    const revisions = seen().map(({ revision }) => revision);
    assertEqual(
      revisions,
      revisions.toSorted((a, b) => a - b),
      "the revisions' order",
    );
    await inbox.until(() => events.some((event) => event.type === "draft_erased" && event.sessionId === session.id));
    assert(
      events.some((event) => event.type === "draft" && event.draft.comment === "hm"),
      "drafts are told",
    );
    watch.close();
  }),

  portsCase("a watch can be filtered by project and agent", async (inbox) => {
    const asker = await inbox.asker();
    const told: string[] = [];
    const note = (event: DeskEvent) => {
      if (event.type === "snapshot") told.push(...event.sessions.map(({ asker: { project } }) => project ?? ""));
      if (event.type === "session") told.push(event.session.asker.project ?? "");
    };
    await ask(asker, {}, { asker: anAsker({ project: "/a" }) });
    await ask(asker, {}, { asker: anAsker({ project: "/b" }) });
    const watch = await (await inbox.desk()).watch({ project: "/a" }, note);
    assertEqual(told, ["/a"], "the snapshot");
    await ask(asker, {}, { asker: anAsker({ project: "/b", agentId: "agent-2" }) });
    await ask(asker, {}, { asker: anAsker({ project: "/a", agentId: "agent-2" }) });
    await inbox.until(() => told.length > 1);
    assertEqual([...new Set(told)], ["/a"], "what is told");
    watch.close();
  }),

  portsCase("the list and a watch can be filtered by machine", async (inbox) => {
    const asker = await inbox.asker();
    const desk = await inbox.desk();
    const told: (string | undefined)[] = [];
    const watch = await desk.watch({ machine: "build-7" }, (event) => {
      if (event.type === "session") told.push(event.session.asker.machine);
    });
    await ask(asker, {}, { asker: anAsker({ project: "/a" }) });
    await ask(asker, {}, { asker: anAsker({ project: "/a", machine: "build-7" }) });
    await inbox.until(() => told.length > 0);
    assertEqual([...new Set(told)], ["build-7"], "what is told");
    const { items } = await desk.list({ machine: "build-7", project: "/a" });
    assertEqual(
      items.map((session) => session.asker.machine),
      ["build-7"],
      "what is listed",
    );
    watch.close();
  }),

  portsCase("a closed watch reports nothing more", async (inbox) => {
    const asker = await inbox.asker();
    const desk = await inbox.desk();
    const events: DeskEvent[] = [];
    const watch = await desk.watch({}, (event) => events.push(event));
    watch.close();
    const others: DeskEvent[] = [];
    const other = await desk.watch({}, (event) => others.push(event));
    await ask(asker);
    await inbox.until(() => others.length > 1);
    assertEqual(events.length, 1, "events of the closed watch");
    other.close();
  }),

  portsCase("a watch reports when an asker arrives, takes a ticket and leaves", async (inbox) => {
    const asker = await inbox.asker();
    const presences: string[] = [];
    const alone: string[] = [];
    const sessions: number[] = [];
    const desk = await inbox.desk();
    const watch = await desk.watch({}, (event) => {
      if (event.type === "session") presences.push(event.session.presence.asker);
    });
    const light = await desk.watch({ presence: true }, (event) => {
      if (event.type === "presence") alone.push(event.presence.asker);
      if (event.type === "session") sessions.push(event.session.revision);
    });
    const { session } = await ask(asker);
    const wait = resumed(asker, session.id, { maxWait: 1_000 });
    await inbox.until(async () => (await desk.get(session.id)).presence.asker === "attached");
    await inbox.advance(1_000);
    await wait;
    await inbox.until(() => presences.at(-1) === "will_ask_again");
    await inbox.advance(125_000);
    await inbox.until(() => presences.at(-1) === "away" && alone.at(-1) === "away");
    assertEqual(sessions, [1], "the revisions that come to a watch with presence by itself");
    watch.close();
    light.close();
  }),
];
