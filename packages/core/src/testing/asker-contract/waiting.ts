import { assert, assertEqual, assertRejects, type ContractCase } from "../contract.ts";
import { anAsker } from "../fixtures.ts";
import { ada, ask, type PortsHarness, portsCase, validSet } from "../ports-harness.ts";
import { answeredAlone, aSignal, leave, textAnswer, textOnly } from "./support.ts";

/** What opening, waiting and withdrawing promise. */
export const askerWaiting: readonly ContractCase<PortsHarness>[] = [
  portsCase("a wait resolves with the answer that is given", async (inbox) => {
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

  portsCase("a wait for a session that is settled resolves at once", async (inbox) => {
    const asker = await inbox.asker();
    const { session } = await ask(asker);
    await (await inbox.desk()).cancel(session.id, { reason: "not now" });
    const settled = await asker.wait(session.id);
    assertEqual(settled.context.outcome?.kind, "cancelled", "the outcome");
    const outcome = settled.context.outcome;
    assert(outcome?.kind === "cancelled" && outcome.reason === "not now", "the reason comes along");
  }),

  portsCase("a session nobody answers times out at its deadline, and not before", async (inbox) => {
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

  portsCase("two waits for one session are both told", async (inbox) => {
    const asker = await inbox.asker();
    const { session } = await ask(asker);
    const waits = [asker.wait(session.id), asker.wait(session.id)];
    await (await inbox.desk()).answer(session.id, validSet());
    const states = (await Promise.all(waits)).map((settled) => settled.state);
    assertEqual(states, ["answered", "answered"], "what the waits resolve with");
  }),

  // promise: outcome-may-come-again
  portsCase("each of many waits gets its own session's answer", async (inbox) => {
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

  portsCase("giving a wait up leaves the session open", async (inbox) => {
    const asker = await inbox.asker();
    const { session } = await ask(asker);
    await leave(inbox, session.id);
    assertEqual((await (await inbox.desk()).get(session.id)).status, "pending", "the status");
  }),

  portsCase("a wait whose signal is aborted already does not begin, and its asker counts as away", async (inbox) => {
    const asker = await inbox.asker();
    const { session } = await ask(asker);
    const { signal, abort } = aSignal();
    abort();
    await assertRejects(asker.wait(session.id, { signal }), "ABORTED", "the wait");
    const desk = await inbox.desk();
    await inbox.until(async () => (await desk.get(session.id)).presence.asker === "away");
  }),

  portsCase("a wait with a ticket resolves with the pending session when its time is over", async (inbox) => {
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

  portsCase("a look resolves with the session as it is, and its asker counts as coming back", async (inbox) => {
    const asker = await inbox.asker();
    const desk = await inbox.desk();
    const { session } = await ask(asker);
    assertEqual((await asker.wait(session.id, { ticketAfter: 0 })).state, "pending", "what the first look finds");
    assertEqual((await desk.get(session.id)).presence.asker, "will_ask_again", "the asker's presence");
    await inbox.advance(100_000);
    await asker.wait(session.id, { ticketAfter: 0 });
    await inbox.advance(100_000);
    assertEqual((await desk.get(session.id)).presence.asker, "will_ask_again", "the presence of an asker that looked again");
    await desk.answer(session.id, validSet());
    assertEqual((await asker.wait(session.id, { ticketAfter: 0 })).state, "answered", "what the last look finds");
  }),

  // promise: asker-scope
  portsCase("another token's session cannot be waited for, withdrawn or delivered", async (inbox) => {
    const { session } = await ask(await inbox.asker("owner-1"));
    const stranger = await inbox.asker("owner-2");
    await assertRejects(stranger.wait(session.id), "SESSION_NOT_FOUND", "a wait");
    await assertRejects(stranger.withdraw(session.id), "SESSION_NOT_FOUND", "a withdrawal");
    await assertRejects(stranger.delivered(session.id), "SESSION_NOT_FOUND", "a delivery");
    await assertRejects(stranger.wait("nosuchsession"), "SESSION_NOT_FOUND", "a wait for no session");
  }),

  portsCase("a withdrawn session is cancelled in the asker's name and takes no answer", async (inbox) => {
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

  // promise: equal-asks-separate
  portsCase("the same ask while the first is still waited for is a session of its own", async (inbox) => {
    const asker = await inbox.asker();
    const first = await ask(asker);
    const wait = asker.wait(first.session.id);
    const second = await ask(asker);
    assert(first.session.id !== second.session.id, "two sessions");
    await (await inbox.desk()).answer(first.session.id, validSet());
    assertEqual((await wait).id, first.session.id, "what the first wait gets");
  }),

  portsCase("an ask with the key of a pending session joins it even while that is waited for", async (inbox) => {
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

  // promise: answer-waits-for-agent
  portsCase("an answer that came while nobody waited is given to the next equal ask, marked late", async (inbox) => {
    const { asker, session } = await answeredAlone(inbox, "lathe");
    const again = await ask(asker, textOnly());
    assertEqual([again.session.id, again.late, again.session.state], [session.id, true, "answered"], "the second ask");
    await asker.delivered(session.id);
    const third = await ask(asker, textOnly());
    assertEqual([third.late, third.session.state], [false, "pending"], "an ask after the delivery");
  }),

  portsCase("hostile and long texts come back as they were sent", async (inbox) => {
    const asker = await inbox.asker();
    const text = `\u0000\u001b]0;title\u0007\u202e${"😀".repeat(10_000)}`;
    const { session } = await ask(asker, textOnly());
    const wait = asker.wait(session.id);
    await (await inbox.desk()).answer(session.id, textAnswer(text));
    const { outcome } = (await wait).context;
    assert(outcome?.kind === "answered" && outcome.answers[0]?.values[0] === text, "the text is unchanged");
  }),
];
