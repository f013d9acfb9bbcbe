import { assert, assertEqual, assertRejects, type ContractCase } from "./contract.ts";
import { anAsk, anAsker } from "./fixtures.ts";
import { ada, ask, type Inbox, onInbox, type PortsHarness, validSet } from "./ports-harness.ts";

const one = (name: string, run: (inbox: Inbox) => Promise<void>): ContractCase<PortsHarness> => ({
  name,
  run: (harness) => onInbox(harness, run),
});

const textOnly = () => ({ questions: anAsk().questions.slice(0, 1) });
const textAnswer = (text: string) => ({ answers: [{ questionId: "q_text", values: [text] }] });

/** A signal that aborts when told to; the core knows no AbortController. */
function aSignal() {
  const listeners = new Set<() => void>();
  const signal = {
    aborted: false,
    addEventListener: (_type: "abort", listener: () => void) => void listeners.add(listener),
    removeEventListener: (_type: "abort", listener: () => void) => void listeners.delete(listener),
  };
  return {
    signal,
    abort() {
      signal.aborted = true;
      for (const listener of [...listeners]) listener();
    },
  };
}

/** Opens and answers a session while nobody waits for it. */
async function answeredAlone(inbox: Inbox, text: string) {
  const asker = await inbox.asker();
  const desk = await inbox.desk();
  const { session } = await ask(asker, textOnly());
  await leave(inbox, session.id);
  await desk.answer(session.id, textAnswer(text));
  return { asker, desk, session };
}

/** Begins a wait and gives it up, so that the session's asker is away. */
async function leave(inbox: Inbox, id: string) {
  const asker = await inbox.asker();
  const desk = await inbox.desk();
  const { signal, abort } = aSignal();
  const wait = asker.wait(id, { signal });
  wait.catch(() => {});
  await inbox.until(async () => (await desk.get(id)).presence.asker === "attached");
  abort();
  await assertRejects(wait, "ABORTED", "a wait that is given up");
  await inbox.until(async () => (await desk.get(id)).presence.asker === "away");
}

/** What every `Asker` promises. */
export const askerContract: readonly ContractCase<PortsHarness>[] = [
  one("a wait resolves with the answer that is given", async (inbox) => {
    const asker = await inbox.asker();
    const { session, joined, late } = await ask(asker);
    assertEqual({ joined, late, state: session.state }, { joined: false, late: false, state: "pending" }, "the opened session");
    const wait = asker.wait(session.id);
    await (await inbox.desk(ada)).answer(session.id, validSet({ comment: "go on" }));
    const settled = await wait;
    assertEqual(settled.state, "answered", "the state");
    const outcome = settled.context.outcome;
    assert(outcome?.kind === "answered", "the outcome is an answer");
    assertEqual(outcome.answers, validSet().answers, "the answers");
    assertEqual([outcome.comment, outcome.by], ["go on", ada], "the comment and who gave it");
  }),

  one("a wait for a session that is settled resolves at once", async (inbox) => {
    const asker = await inbox.asker();
    const { session } = await ask(asker);
    await (await inbox.desk()).cancel(session.id, { reason: "not now" });
    const settled = await asker.wait(session.id);
    assertEqual(settled.context.outcome?.kind, "cancelled", "the outcome");
    const outcome = settled.context.outcome;
    assert(outcome?.kind === "cancelled" && outcome.reason === "not now", "the reason comes along");
  }),

  one("a session nobody answers times out at its deadline, and not before", async (inbox) => {
    const asker = await inbox.asker();
    const desk = await inbox.desk();
    const { session } = await ask(asker, { timeout: 10_000 });
    const wait = asker.wait(session.id);
    await inbox.advance(9_000);
    assertEqual((await desk.get(session.id)).status, "pending", "the status after 9 s");
    await inbox.advance(1_100);
    const settled = await wait;
    assertEqual(settled.context.outcome?.by, { surface: "deadline" }, "who ended it");
    assertEqual(settled.state, "timedOut", "the state");
  }),

  one("two waits for one session are both told", async (inbox) => {
    const asker = await inbox.asker();
    const { session } = await ask(asker);
    const waits = [asker.wait(session.id), asker.wait(session.id)];
    await (await inbox.desk()).answer(session.id, validSet());
    const states = (await Promise.all(waits)).map((settled) => settled.state);
    assertEqual(states, ["answered", "answered"], "what the waits resolve with");
  }),

  one("each of many waits gets its own session's answer", async (inbox) => {
    const asker = await inbox.asker();
    const desk = await inbox.desk();
    const opened = await Promise.all(Array.from({ length: 20 }, () => ask(asker, textOnly())));
    const ids = opened.map(({ session }) => session.id);
    assertEqual(new Set(ids).size, 20, "sessions of askers that wait at the same time");
    const waits = ids.map((id) => asker.wait(id));
    await Promise.all(ids.map((id, index) => desk.answer(id, textAnswer(`answer ${index}`))));
    const texts = (await Promise.all(waits)).map(
      ({ context }) => context.outcome?.kind === "answered" && context.outcome.answers[0]?.values[0],
    );
    assertEqual(
      texts,
      ids.map((_, index) => `answer ${index}`),
      "the answers",
    );
  }),

  one("giving a wait up leaves the session open", async (inbox) => {
    const asker = await inbox.asker();
    const { session } = await ask(asker);
    await leave(inbox, session.id);
    assertEqual((await (await inbox.desk()).get(session.id)).status, "pending", "the status");
  }),

  one("a wait whose signal is aborted already does not begin", async (inbox) => {
    const asker = await inbox.asker();
    const { session } = await ask(asker);
    const { signal, abort } = aSignal();
    abort();
    await assertRejects(asker.wait(session.id, { signal }), "ABORTED", "the wait");
  }),

  one("a wait with a ticket resolves with the pending session when its time is over", async (inbox) => {
    const asker = await inbox.asker();
    const desk = await inbox.desk();
    const { session } = await ask(asker);
    const wait = asker.wait(session.id, { ticketAfter: 5_000 });
    await inbox.until(async () => (await desk.get(session.id)).presence.asker === "attached");
    await inbox.advance(5_000);
    assertEqual((await wait).state, "pending", "what the wait resolves with");
    assertEqual((await desk.get(session.id)).presence.asker, "will_ask_again", "the asker's presence");
    await inbox.advance(125_000);
    assertEqual((await desk.get(session.id)).presence.asker, "away", "the presence of an asker that does not come back");
  }),

  one("another token's session cannot be waited for, withdrawn or delivered", async (inbox) => {
    const { session } = await ask(await inbox.asker("owner-1"));
    const stranger = await inbox.asker("owner-2");
    await assertRejects(stranger.wait(session.id), "SESSION_NOT_FOUND", "a wait");
    await assertRejects(stranger.withdraw(session.id), "SESSION_NOT_FOUND", "a withdrawal");
    await assertRejects(stranger.delivered(session.id), "SESSION_NOT_FOUND", "a delivery");
    await assertRejects(stranger.wait("nosuchsession"), "SESSION_NOT_FOUND", "a wait for no session");
  }),

  one("a withdrawn session is cancelled in the asker's name and takes no answer", async (inbox) => {
    const asker = await inbox.asker();
    const desk = await inbox.desk();
    const { session } = await ask(asker);
    await asker.withdraw(session.id, { reason: "no longer needed" });
    const view = await desk.get(session.id);
    assertEqual([view.status, view.outcome?.by.surface], ["cancelled", "asker"], "the session");
    await assertRejects(desk.answer(session.id, validSet()), "SESSION_CLOSED", "an answer");
    await assertRejects(asker.withdraw(session.id), "SESSION_CLOSED", "a second withdrawal");
    assertEqual((await asker.earlier(anAsker())).length, 0, "what is told of it later");
  }),

  one("the same ask joins the session whose asker has left, and moves its deadline", async (inbox) => {
    const asker = await inbox.asker();
    const desk = await inbox.desk();
    const { session } = await ask(asker, { timeout: 60_000 });
    await leave(inbox, session.id);
    await inbox.advance(30_000);
    const again = await ask(asker, { timeout: 60_000 });
    assertEqual([again.session.id, again.joined, again.late], [session.id, true, false], "the second ask");
    assertEqual(again.session.context.deadlineAt, (session.context.deadlineAt ?? 0) + 30_000, "the deadline");
    const wait = asker.wait(session.id);
    await desk.answer(session.id, validSet());
    assertEqual((await wait).state, "answered", "what the second call gets");
  }),

  one("the same ask while the first is still waited for is a session of its own", async (inbox) => {
    const asker = await inbox.asker();
    const first = await ask(asker);
    const wait = asker.wait(first.session.id);
    const second = await ask(asker);
    assert(first.session.id !== second.session.id, "two sessions");
    await (await inbox.desk()).answer(first.session.id, validSet());
    assertEqual((await wait).id, first.session.id, "what the first wait gets");
  }),

  one("of several equal asks that come at once, one at most joins the abandoned session", async (inbox) => {
    const asker = await inbox.asker();
    const { session } = await ask(asker);
    await leave(inbox, session.id);
    const again = await Promise.all([ask(asker), ask(asker), ask(asker)]);
    assertEqual(again.filter((opened) => opened.session.id === session.id).length, 1, "how many joined it");
  }),

  one("asks that differ in text, project or agent do not join each other", async (inbox) => {
    const asker = await inbox.asker();
    const { session } = await ask(asker);
    await leave(inbox, session.id);
    const others = [
      await ask(asker, textOnly()),
      await ask(asker, {}, { asker: anAsker({ project: "/elsewhere" }) }),
      await ask(asker, {}, { asker: anAsker({ agentId: "agent-2" }) }),
      await ask(await inbox.asker("owner-2")),
    ];
    assertEqual(
      others.map(({ joined }) => joined),
      [false, false, false, false],
      "whether they joined",
    );
  }),

  one("an ask with the key of a pending session joins it even while that is waited for", async (inbox) => {
    const asker = await inbox.asker();
    const first = await ask(asker, {}, { key: "deploy" });
    const waits = [asker.wait(first.session.id)];
    const second = await ask(asker, textOnly(), { key: "deploy" });
    assertEqual([second.session.id, second.joined], [first.session.id, true], "the second ask");
    waits.push(asker.wait(second.session.id));
    await (await inbox.desk()).answer(first.session.id, validSet());
    assertEqual(
      (await Promise.all(waits)).map(({ state }) => state),
      ["answered", "answered"],
      "what both get",
    );
    const third = await ask(asker, {}, { key: "deploy" });
    assert(third.session.id !== first.session.id || third.late, "a settled session is joined no more");
  }),

  one("an answer that came while nobody waited is given to the next equal ask, marked late", async (inbox) => {
    const { asker, session } = await answeredAlone(inbox, "lathe");
    const again = await ask(asker, textOnly());
    assertEqual([again.session.id, again.late, again.session.state], [session.id, true, "answered"], "the second ask");
    await asker.delivered(session.id);
    const third = await ask(asker, textOnly());
    assertEqual([third.late, third.session.state], [false, "pending"], "an ask after the delivery");
  }),

  one("an answer older than 15 minutes is not given to an equal ask", async (inbox) => {
    const { asker } = await answeredAlone(inbox, "lathe");
    await inbox.advance(901_000);
    assertEqual((await ask(asker, textOnly())).late, false, "whether it is late");
  }),

  one("a set with a confirm in it is never answered from the past, but shows the earlier answer", async (inbox) => {
    const asker = await inbox.asker();
    const desk = await inbox.desk(ada);
    const { session } = await ask(asker);
    await leave(inbox, session.id);
    await desk.answer(session.id, validSet());
    const again = await ask(asker);
    assertEqual([again.late, again.session.state], [false, "pending"], "the second ask");
    const { earlierAnswer } = await desk.get(again.session.id);
    assertEqual([earlierAnswer?.sessionId, earlierAnswer?.answers], [session.id, validSet().answers], "what is offered");
  }),

  one("undelivered outcomes are told to their own asker until they are delivered", async (inbox) => {
    const { asker, session } = await answeredAlone(inbox, "lathe");
    assertEqual((await asker.earlier(anAsker({ agentId: "agent-2" }))).length, 0, "what another agent is told");
    assertEqual((await (await inbox.asker("owner-2")).earlier(anAsker())).length, 0, "what another token is told");
    assertEqual(
      (await asker.earlier(anAsker())).map(({ id }) => id),
      [session.id],
      "what its asker is told",
    );
    await inbox.advance(6_000);
    assertEqual(
      (await asker.earlier(anAsker())).map(({ id }) => id),
      [session.id],
      "what it is told when it did not confirm",
    );
    await asker.delivered(session.id, { callId: "call-1" });
    await asker.delivered(session.id, { callId: "call-2" });
    assertEqual((await asker.earlier(anAsker())).length, 0, "what it is told afterwards");
    const { delivery } = await (await inbox.desk()).get(session.id);
    assert(delivery.deliveredAt !== null && delivery.callId === "call-1", "the first delivery is recorded");
  }),

  one("an outcome under way to one call is not given to another", async (inbox) => {
    const { asker } = await answeredAlone(inbox, "lathe");
    const told = await Promise.all([asker.earlier(anAsker()), asker.earlier(anAsker())]);
    assertEqual(told.flat().length, 1, "how often it is given");
  }),

  one("a reply after the deadline is told as an earlier outcome, once delivered no more", async (inbox) => {
    const asker = await inbox.asker();
    const desk = await inbox.desk(ada);
    const { session } = await ask(asker, { timeout: 10_000 });
    const wait = asker.wait(session.id);
    await inbox.advance(10_100);
    await wait;
    await asker.delivered(session.id);
    assertEqual((await asker.earlier(anAsker())).length, 0, "what is told before the reply");
    await desk.reply(session.id, validSet({ comment: "sorry, lunch" }));
    const [told] = await asker.earlier(anAsker());
    assertEqual([told?.id, told?.state, told?.reply?.comment], [session.id, "timedOut", "sorry, lunch"], "what is told then");
    await asker.delivered(session.id);
    assertEqual((await asker.earlier(anAsker())).length, 0, "what is told after its delivery");
  }),

  one("hostile and long texts come back as they were sent", async (inbox) => {
    const asker = await inbox.asker();
    const text = `\u0000\u001b]0;title\u0007\u202e${"😀".repeat(10_000)}`;
    const { session } = await ask(asker, textOnly());
    const wait = asker.wait(session.id);
    await (await inbox.desk()).answer(session.id, textAnswer(text));
    const { outcome } = (await wait).context;
    assert(outcome?.kind === "answered" && outcome.answers[0]?.values[0] === text, "the text is unchanged");
  }),
];
