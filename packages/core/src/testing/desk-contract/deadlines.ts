import type { SessionView } from "../../session/view.ts";
import { assert, assertEqual, assertRejects, type ContractCase } from "../contract.ts";
import { ada, ask, bob, type PortsHarness, portsCase, validSet } from "../ports-harness.ts";
import { without } from "./support.ts";

/** The contract for deadlines, drafts and delays. */
export const deskDeadlines: readonly ContractCase<PortsHarness>[] = [
  portsCase("extending only moves the deadline later", async (inbox) => {
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

  portsCase("a snooze is kept for each person, leaves the deadline, and ends when it is woken", async (inbox) => {
    const { session } = await ask(await inbox.asker(), { timeout: 600_000 });
    const [first, second, all] = await Promise.all([inbox.desk(ada), inbox.desk(bob), inbox.desk({ surface: "api" })]);
    let seen: (number | undefined)[] = [];
    const watch = await first.watch({}, (event) => {
      seen = event.type === "session" ? [...seen, event.session.snoozedUntil] : seen;
    });
    const until = session.createdAt + 300_000;
    const snoozed = await first.snooze(session.id, { until });
    assertEqual([snoozed.snoozedUntil, snoozed.deadlineAt, snoozed.status], [until, session.context.deadlineAt, "pending"], "the view");
    await inbox.until(() => seen.includes(until));
    assertEqual((await second.get(session.id)).snoozedUntil, undefined, "what the other person sees");
    await second.snooze(session.id, { until: until - 60_000 });
    assertEqual(
      (await first.list()).items.map((one) => one.snoozedUntil),
      [until],
      "the first person's list",
    );
    assertEqual((await all.get(session.id)).snoozedUntil, until - 60_000, "what a desk without a name sees");
    await second.snooze(session.id, { until: null });
    assertEqual((await second.get(session.id)).snoozedUntil, undefined, "the second person's after waking it");
    assertEqual((await first.get(session.id)).snoozedUntil, until, "the first person's after that");
    for (const bad of [session.createdAt - 1, session.createdAt + 2_600_000_000, Number.MAX_VALUE]) {
      await assertRejects(first.snooze(session.id, { until: bad }), "VALIDATION", `until ${bad}`);
    }
    const last = session.createdAt + 480_000;
    const late = await first.snooze(session.id, { until: session.createdAt + 7_200_000 });
    assertEqual(late.snoozedUntil, last, "a snooze beyond the deadline, which ends two minutes before it");
    watch.close();
    await first.cancel(session.id);
    await assertRejects(first.snooze(session.id, { until }), "SESSION_CLOSED", "a settled session");
  }),

  // promise: draft-saved-when-confirmed
  portsCase("a draft keeps the last write to each field and is deleted when the session settles", async (inbox) => {
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

  // promise: typing-holds-deadline
  portsCase("typing holds the deadline for a while, but not forever", async (inbox) => {
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

  portsCase("a delayed answer can be recalled, and is otherwise sent", async (inbox) => {
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

  portsCase("an answer that is being delayed when the deadline passes counts", async (inbox) => {
    const { session } = await ask(await inbox.asker(), { timeout: 10_000 });
    const desk = await inbox.desk();
    await inbox.advance(9_000);
    await desk.answer(session.id, validSet(), { delay: 30_000 });
    await inbox.advance(1_500);
    assertEqual((await desk.get(session.id)).status, "answered", "the status");
  }),

  portsCase("a delayed decline can be recalled, and is otherwise sent", async (inbox) => {
    const { session } = await ask(await inbox.asker());
    const desk = await inbox.desk(ada);
    let told: SessionView | undefined;
    const watch = await (await inbox.desk(bob)).watch({}, (event) => {
      if (event.type === "session") told = event.session;
    });
    const view = await desk.cancel(session.id, { reason: "not today", delay: 5_000 });
    const { sendAt: _, ...held } = view.scheduled ?? {};
    assertEqual(
      [view.status, held],
      ["pending", { answers: [], decline: { reason: "not today" }, by: ada }],
      "the session while it is held back",
    );
    await inbox.until(() => told?.scheduled?.decline !== undefined);
    const recalled = await desk.recall(session.id);
    assertEqual([recalled.status, recalled.scheduled], ["pending", undefined], "the session after the recall");
    await inbox.until(() => told !== undefined && told.scheduled === undefined);
    watch.close();
    await inbox.advance(6_000);
    assertEqual((await desk.get(session.id)).status, "pending", "the status later");
    await desk.cancel(session.id, { delay: 5_000 });
    await assertRejects((await inbox.desk(bob)).answer(session.id, validSet()), "CONFLICT", "somebody's answer meanwhile");
    await assertRejects((await inbox.desk(bob)).cancel(session.id, { delay: 5_000 }), "CONFLICT", "somebody else's decline meanwhile");
    await inbox.advance(5_100);
    const { status, outcome } = await desk.get(session.id);
    assertEqual([status, outcome?.kind, outcome?.by], ["cancelled", "cancelled", ada], "it left by itself");
  }),

  portsCase("a decline that is being delayed when the deadline passes counts", async (inbox) => {
    const { session } = await ask(await inbox.asker(), { timeout: 10_000 });
    const desk = await inbox.desk();
    await inbox.advance(9_000);
    await desk.cancel(session.id, { reason: "too late", delay: 30_000 });
    await inbox.advance(1_500);
    const { status, outcome } = await desk.get(session.id);
    assertEqual([status, outcome?.kind === "cancelled" && outcome.reason], ["cancelled", "too late"], "the outcome");
  }),

  portsCase("neither an answer nor a decline is delayed by less than nothing or more than a minute", async (inbox) => {
    const { session } = await ask(await inbox.asker());
    const desk = await inbox.desk();
    for (const delay of [-1, 60_001]) {
      await assertRejects(desk.answer(session.id, validSet(), { delay }), "VALIDATION", "an answer");
      await assertRejects(desk.cancel(session.id, { delay }), "VALIDATION", "a decline");
    }
    assertEqual((await desk.get(session.id)).scheduled, undefined, "what is held back");
  }),

  // promise: reply-after-timeout
  portsCase("a reply is only accepted after a timeout, and once", async (inbox) => {
    const { session } = await ask(await inbox.asker(), { timeout: 10_000 });
    const desk = await inbox.desk(ada);
    await assertRejects(desk.reply(session.id, validSet()), "SESSION_PENDING", "a reply to an open session");
    await inbox.advance(10_100);
    await assertRejects(desk.reply(session.id, without("q_text")), "INVALID_ANSWER", "an incomplete reply");
    const view = await desk.reply(session.id, validSet());
    assertEqual([view.status, view.outcome?.kind, view.reply?.by], ["timed_out", "timedOut", ada], "the session");
    await assertRejects(desk.reply(session.id, validSet()), "SESSION_CLOSED", "a second reply");
  }),
];
