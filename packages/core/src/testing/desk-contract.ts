import type { DeskEvent } from "../ports/desk.ts";
import type { SessionView } from "../session/view.ts";
import { assert, assertEqual, assertRejects, type ContractCase } from "./contract.ts";
import { anAsk, anAsker } from "./fixtures.ts";
import { ada, ask, bob, type Inbox, onInbox, type PortsHarness, validSet } from "./ports-harness.ts";

const one = (name: string, run: (inbox: Inbox) => Promise<void>): ContractCase<PortsHarness> => ({
  name,
  run: (harness) => onInbox(harness, run),
});

const without = (questionId: string) => ({ answers: validSet().answers.filter((answer) => answer.questionId !== questionId) });
const withAnswer = (questionId: string, answer: { values: string[]; customText?: string }) => ({
  answers: [...without(questionId).answers, { questionId, ...answer }],
});

/** What every `Desk` promises. */
export const deskContract: readonly ContractCase<PortsHarness>[] = [
  one("a session is listed with all that a person needs to answer it", async (inbox) => {
    const { session } = await ask(await inbox.asker());
    const { items } = await (await inbox.desk()).list({ statuses: ["pending"] });
    assertEqual(items.length, 1, "how many are pending");
    const [view] = items;
    const { questions, title } = anAsk();
    assertEqual([view?.id, view?.title, view?.questions, view?.asker], [session.id, title, questions, anAsker()], "the session");
    assertEqual((view?.deadlineAt ?? 0) - (view?.createdAt ?? 0), 300_000, "the time to answer");
  }),

  one("lists are filtered by status, project and text, and paged", async (inbox) => {
    const asker = await inbox.asker();
    const desk = await inbox.desk();
    for (const project of ["/a", "/a", "/b"]) await ask(asker, { title: `Work in ${project}` }, { asker: anAsker({ project }) });
    const [first] = (await desk.list({ project: "/b" })).items;
    assert(first !== undefined, "the project's session is listed");
    await desk.cancel(first.id);
    assertEqual((await desk.list({ statuses: ["pending"] })).items.length, 2, "how many are pending");
    assertEqual(
      (await desk.list({ statuses: ["cancelled"] })).items.map(({ id }) => id),
      [first.id],
      "what is cancelled",
    );
    assertEqual(
      (await desk.list({ text: "WORK IN /B" })).items.map(({ id }) => id),
      [first.id],
      "what has the text",
    );
    const page = await desk.list({ limit: 2 });
    assert(page.nextCursor !== undefined, "there is a next page");
    const rest = await desk.list({ limit: 2, cursor: page.nextCursor });
    assertEqual(new Set([...page.items, ...rest.items].map(({ id }) => id)).size, 3, "all pages together");
    assertEqual(rest.nextCursor, undefined, "the last page's cursor");
  }),

  one("an id may be shortened to a unique prefix of 4 characters", async (inbox) => {
    const { session } = await ask(await inbox.asker());
    const desk = await inbox.desk();
    for (const length of [4, 10, session.id.length]) {
      assertEqual((await desk.get(session.id.slice(0, length))).id, session.id, `${length} characters`);
    }
    await assertRejects(desk.get(session.id.slice(0, 3)), "SESSION_NOT_FOUND", "3 characters");
    await assertRejects(desk.get("zzzzzzzz"), "SESSION_NOT_FOUND", "an unknown id");
  }),

  one("an invalid answer is refused with a sentence for each question and leaves the session open", async (inbox) => {
    const { session } = await ask(await inbox.asker());
    const desk = await inbox.desk();
    const refused = {
      "a required question left out": without("q_text"),
      "a blank text": withAnswer("q_text", { values: ["  \n"] }),
      "two texts": withAnswer("q_text", { values: ["a", "b"] }),
      "an option that is not offered": withAnswer("q_select", { values: ["mysql"] }),
      "two values on a select": withAnswer("q_select", { values: ["sqlite", "postgres"] }),
      "a value and Other on a select": withAnswer("q_select", { values: ["sqlite"], customText: "both" }),
      "an option chosen twice": withAnswer("q_multi", { values: ["linux", "linux"] }),
      "a confirm that is neither yes nor no": withAnswer("q_confirm", { values: ["maybe"] }),
      "Other on a confirm": withAnswer("q_confirm", { values: [], customText: "well" }),
      "an unknown question": { answers: [...validSet().answers, { questionId: "nope", values: ["x"] }] },
      "a question answered twice": { answers: [...validSet().answers, { questionId: "q_text", values: ["x"] }] },
      "nothing at all": { answers: [] },
    };
    for (const [what, set] of Object.entries(refused)) {
      const error = await assertRejects(desk.answer(session.id, set), "INVALID_ANSWER", what);
      const issues = error.details?.["issues"];
      assert(Array.isArray(issues) && issues.length > 0, `${what}: the error names the questions`);
    }
    assertEqual((await desk.get(session.id)).status, "pending", "the status");
    assertEqual((await desk.get(session.id)).revision, 1, "the revision");
  }),

  one("Other stands beside choices, and alone where one choice is due", async (inbox) => {
    const { session } = await ask(await inbox.asker());
    const desk = await inbox.desk();
    const set = withAnswer("q_select", { values: [], customText: "DuckDB" });
    const view = await desk.answer(session.id, set);
    assert(view.outcome?.kind === "answered", "it is answered");
    assertEqual(
      view.outcome.answers.map(({ questionId }) => questionId),
      ["q_text", "q_select", "q_multi", "q_confirm"],
      "the order",
    );
    assertEqual(view.outcome.answers[1], { questionId: "q_select", values: [], customText: "DuckDB" }, "Other alone");
    assertEqual(view.outcome.answers[2]?.customText, "Plan 9", "Other beside choices");
  }),

  one("a skipped optional question is answered with no values", async (inbox) => {
    const questions = anAsk().questions.map((question) => ({ ...question, required: false }));
    const { session } = await ask(await inbox.asker(), { questions });
    const view = await (await inbox.desk()).answer(session.id, { answers: [] });
    assert(view.outcome?.kind === "answered", "it is answered");
    assertEqual(
      view.outcome.answers.map(({ values }) => values),
      [[], [], [], []],
      "the values",
    );
  }),

  one("of two answers at once the first wins and the other is told who gave it", async (inbox) => {
    const { session } = await ask(await inbox.asker());
    const desks = [await inbox.desk(ada), await inbox.desk(bob)];
    const results = await Promise.allSettled(desks.map((desk, index) => desk.answer(session.id, validSet({ comment: `by ${index}` }))));
    const winners = results.filter((result) => result.status === "fulfilled");
    assertEqual(winners.length, 1, "how many succeed");
    const winner = results.findIndex((result) => result.status === "fulfilled");
    const loser = desks[1 - winner];
    assert(loser !== undefined, "there is a loser");
    const error = await assertRejects(loser.answer(session.id, validSet()), "SESSION_CLOSED", "the second answer");
    const standing = error.details?.["session"] as { outcome?: { by?: unknown } } | undefined;
    assertEqual(standing?.outcome?.by, [ada, bob][winner], "who it names");
  }),

  one("a settled session can be neither cancelled, extended, drafted nor recalled", async (inbox) => {
    const { session } = await ask(await inbox.asker());
    const desk = await inbox.desk();
    await desk.answer(session.id, validSet());
    const before = await desk.get(session.id);
    await assertRejects(desk.cancel(session.id), "SESSION_CLOSED", "a cancellation");
    await assertRejects(desk.extend(session.id, { timeout: 60_000 }), "SESSION_CLOSED", "more time");
    await assertRejects(desk.saveDraft(session.id, { comment: "x" }), "SESSION_CLOSED", "a draft");
    await assertRejects(desk.recall(session.id), "SESSION_CLOSED", "a recall");
    await assertRejects(desk.reply(session.id, validSet()), "SESSION_CLOSED", "a reply");
    assertEqual(await desk.get(session.id), before, "the session afterwards");
  }),

  one("more time moves the deadline, which never comes nearer", async (inbox) => {
    const asker = await inbox.asker();
    const { session } = await ask(asker, { timeout: 10_000 });
    const desk = await inbox.desk();
    const extended = await desk.extend(session.id, { timeout: 60_000 });
    assert((extended.deadlineAt ?? 0) > (session.context.deadlineAt ?? 0), "the deadline is later");
    await assertRejects(desk.extend(session.id, { timeout: 5_000 }), "VALIDATION", "less time");
    await inbox.advance(59_000);
    assertEqual((await desk.get(session.id)).status, "pending", "the status within the new time");
    assertEqual((await desk.extend(session.id, { timeout: null })).deadlineAt, null, "no limit");
    await assertRejects(desk.extend(session.id, { timeout: 60_000 }), "VALIDATION", "a limit again");
    await inbox.advance(7_200_000);
    assertEqual((await desk.get(session.id)).status, "pending", "the status two hours later");
  }),

  one("a draft keeps the last write to each field and is erased when the session settles", async (inbox) => {
    const { session } = await ask(await inbox.asker());
    const first = await inbox.desk(ada);
    const second = await inbox.desk(bob);
    assertEqual(await first.getDraft(session.id), undefined, "the draft at first");
    await first.saveDraft(session.id, { fields: { q_text: { values: ["la"] }, q_confirm: { values: ["yes"] } } });
    const saved = await second.saveDraft(session.id, { fields: { q_text: { values: ["lathe"] }, q_confirm: null }, comment: "wait" });
    assertEqual([saved.fields, saved.comment, saved.revision], [{ q_text: { values: ["lathe"] } }, "wait", 2], "the draft");
    assertEqual(await first.getDraft(session.id), saved, "what the other sees");
    await assertRejects(first.saveDraft(session.id, { fields: { nope: { values: [] } } }), "VALIDATION", "an unknown question");
    await first.cancel(session.id);
    assertEqual(await first.getDraft(session.id), undefined, "the draft afterwards");
  }),

  one("typing holds the deadline for a while, but not for ever", async (inbox) => {
    const { session } = await ask(await inbox.asker(), { timeout: 10_000 });
    const desk = await inbox.desk();
    await inbox.advance(9_000);
    await desk.saveDraft(session.id, { fields: { q_text: { values: ["l"] } } });
    await inbox.advance(25_000);
    assertEqual((await desk.get(session.id)).status, "pending", "the status while somebody types");
    await inbox.advance(6_000);
    assertEqual((await desk.get(session.id)).status, "timed_out", "the status 31 s after the last key");
    const { session: other } = await ask(await inbox.asker(), { timeout: 10_000 });
    for (let edits = 0; edits < 14; edits += 1) {
      if ((await desk.get(other.id)).status !== "pending") break;
      await desk.saveDraft(other.id, { comment: `still typing ${edits}` });
      await inbox.advance(10_000);
    }
    assertEqual((await desk.get(other.id)).status, "timed_out", "the status after typing for more than two minutes");
  }),

  one("an answer sent with a delay can be recalled, and leaves by itself otherwise", async (inbox) => {
    const asker = await inbox.asker();
    const { session } = await ask(asker);
    const desk = await inbox.desk(ada);
    let told: SessionView | undefined;
    const watch = await (await inbox.desk(bob)).watch({}, (event) => {
      if (event.type === "session") told = event.session;
    });
    const view = await desk.answer(session.id, validSet(), { delay: 5_000 });
    assertEqual([view.status, view.scheduled?.by], ["pending", ada], "the session while it is held back");
    await inbox.until(() => told?.scheduled !== undefined);
    const recalled = await desk.recall(session.id);
    assertEqual([recalled.status, recalled.scheduled], ["pending", undefined], "the session after the recall");
    await inbox.until(() => told !== undefined && told.scheduled === undefined);
    watch.close();
    await inbox.advance(6_000);
    assertEqual((await desk.get(session.id)).status, "pending", "the status later");
    await desk.answer(session.id, validSet({ comment: "now" }), { delay: 5_000 });
    await assertRejects((await inbox.desk(bob)).answer(session.id, validSet()), "CONFLICT", "somebody else's answer meanwhile");
    await inbox.advance(5_100);
    const { status, outcome } = await desk.get(session.id);
    assert(status === "answered" && outcome?.kind === "answered" && outcome.comment === "now", "it left by itself");
  }),

  one("an answer that is held back when the deadline passes counts", async (inbox) => {
    const { session } = await ask(await inbox.asker(), { timeout: 10_000 });
    const desk = await inbox.desk();
    await inbox.advance(9_000);
    await desk.answer(session.id, validSet(), { delay: 30_000 });
    await inbox.advance(1_500);
    assertEqual((await desk.get(session.id)).status, "answered", "the status");
  }),

  one("a reply is taken after a timeout alone, and once", async (inbox) => {
    const { session } = await ask(await inbox.asker(), { timeout: 10_000 });
    const desk = await inbox.desk(ada);
    await assertRejects(desk.reply(session.id, validSet()), "SESSION_PENDING", "a reply to an open session");
    await inbox.advance(10_100);
    await assertRejects(desk.reply(session.id, without("q_text")), "INVALID_ANSWER", "an incomplete reply");
    const view = await desk.reply(session.id, validSet());
    assertEqual([view.status, view.outcome?.kind, view.reply?.by], ["timed_out", "timedOut", ada], "the session");
    await assertRejects(desk.reply(session.id, validSet()), "SESSION_CLOSED", "a second reply");
  }),

  one("who has a session open is seen by all, and that it was seen is kept", async (inbox) => {
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

  one("a watch tells what is pending, then each change in revision order", async (inbox) => {
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

  one("a watch can be narrowed to a project and an agent", async (inbox) => {
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

  one("a watch that is closed is told nothing more", async (inbox) => {
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

  one("a watch tells when an asker comes, takes a ticket and leaves", async (inbox) => {
    const asker = await inbox.asker();
    const presences: string[] = [];
    const desk = await inbox.desk();
    const watch = await desk.watch({}, (event) => {
      if (event.type === "session") presences.push(event.session.presence.asker);
    });
    const { session } = await ask(asker);
    const wait = asker.wait(session.id, { ticketAfter: 1_000 });
    await inbox.until(async () => (await desk.get(session.id)).presence.asker === "attached");
    await inbox.advance(1_000);
    await wait;
    await inbox.until(() => presences.at(-1) === "will_ask_again");
    await inbox.advance(125_000);
    await inbox.until(() => presences.at(-1) === "away");
    watch.close();
  }),
];
