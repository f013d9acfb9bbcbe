import type { Opened } from "../../ports/asker.ts";
import { assert, assertEqual, assertRejects, type ContractCase } from "../contract.ts";
import { anAsk, anAsker } from "../fixtures.ts";
import { ada, ask, earlierOf, type PortsHarness, portsCase, resumed, validSet } from "../ports-harness.ts";
import { answeredAlone, aSignal, leave, textAnswer, textOnly } from "./support.ts";

/** The contract for opening, waiting and withdrawing. */
export const askerWaiting: readonly ContractCase<PortsHarness>[] = [
  portsCase("a wait resolves with the answer", async (inbox) => {
    const asker = await inbox.asker();
    const { session, joined, late } = await ask(asker);
    assertEqual({ joined, late, state: session.state }, { joined: false, late: false, state: "pending" }, "the opened session");
    const wait = resumed(asker, session.id);
    await (await inbox.desk(ada)).answer(session.id, validSet({ comment: "go on" }));
    const settled = await wait;
    assertEqual(settled.state, "answered", "the state");
    const outcome = settled.context.outcome;
    assert(outcome?.kind === "answered", "the outcome is an answer");
    assertEqual(outcome.answers, validSet().answers, "the answers");
    assertEqual([outcome.comment, outcome.by], ["go on", ada], "the comment and who gave it");
  }),

  portsCase("an ask reports when it is open, and resolves with the answer", async (inbox) => {
    const asker = await inbox.asker();
    const opened: Opened[] = [];
    const asking = asker.ask(anAsk(), { asker: anAsker(), onOpened: (one) => opened.push(one) });
    await inbox.until(() => opened.length === 1);
    const [first] = opened;
    assert(first !== undefined, "it is open");
    assertEqual([first.joined, first.session.state, first.session.request], [false, "pending", anAsk()], "what was opened");
    const desk = await inbox.desk(ada);
    assertEqual((await desk.get(first.session.id)).presence.asker, "attached", "the asker's presence");
    await desk.answer(first.session.id, validSet());
    const { session, late, joined } = await asking;
    assertEqual([session.id, session.state, late, joined], [first.session.id, "answered", false, false], "what the ask resolves with");
  }),

  portsCase("aborting an ask after it is open leaves the session, and its asker counts as away", async (inbox) => {
    const asker = await inbox.asker();
    const desk = await inbox.desk();
    const { signal, abort } = aSignal();
    const opened: Opened[] = [];
    const asking = asker.ask(anAsk(), { asker: anAsker(), signal, onOpened: (one) => opened.push(one) });
    asking.catch(() => {});
    await inbox.until(() => opened.length === 1);
    abort();
    await assertRejects(asking, "ABORTED", "the ask");
    const id = opened[0]?.session.id ?? "";
    await inbox.until(async () => (await desk.get(id)).presence.asker === "away");
    assertEqual((await desk.get(id)).status, "pending", "the status");
  }),

  portsCase("an ask repeated with its idempotency key is the same ask, whatever its outcome", async (inbox) => {
    const asker = await inbox.asker();
    const desk = await inbox.desk();
    const first = await ask(asker, {}, { idempotencyKey: "request-1" });
    const again = await Promise.all([1, 2, 3].map(() => ask(asker, {}, { idempotencyKey: "request-1" })));
    assertEqual(
      again.map(({ session, joined }) => [session.id, joined]),
      again.map(() => [first.session.id, false]),
      "the repeated asks",
    );
    const other = await ask(asker, {}, { idempotencyKey: "request-2" });
    assert(other.session.id !== first.session.id, "another request has a session of its own");
    await desk.cancel(first.session.id);
    const settled = await ask(asker, {}, { idempotencyKey: "request-1" });
    assertEqual([settled.session.id, settled.session.state], [first.session.id, "cancelled"], "the repeated ask once it is settled");
    const elsewhere = await ask(await inbox.asker("owner-2"), {}, { idempotencyKey: "request-1" });
    assert(elsewhere.session.id !== first.session.id, "another token's request of the same name is its own");
  }),

  portsCase("a withdrawal repeated with its idempotency key succeeds again", async (inbox) => {
    const asker = await inbox.asker();
    const { session } = await ask(asker);
    const withdrawn = await asker.withdraw(session.id, { idempotencyKey: "request-1" });
    assertEqual(await asker.withdraw(session.id, { idempotencyKey: "request-1" }), withdrawn, "the repeated withdrawal");
    await assertRejects(asker.withdraw(session.id, { idempotencyKey: "request-2" }), "SESSION_CLOSED", "another withdrawal");
  }),

  portsCase("a wait for a settled session resolves at once", async (inbox) => {
    const asker = await inbox.asker();
    const { session } = await ask(asker);
    await (await inbox.desk()).cancel(session.id, { reason: "not now" });
    const settled = await resumed(asker, session.id);
    assertEqual(settled.context.outcome?.kind, "cancelled", "the outcome");
    const outcome = settled.context.outcome;
    assert(outcome?.kind === "cancelled" && outcome.reason === "not now", "the reason comes along");
  }),

  portsCase("a session that nobody answers times out at its deadline, and not before", async (inbox) => {
    const asker = await inbox.asker();
    const desk = await inbox.desk();
    const { session } = await ask(asker, { timeout: 10_000 });
    const wait = resumed(asker, session.id);
    await inbox.advance(9_000);
    assertEqual((await desk.get(session.id)).status, "pending", "the status after 9 s");
    await inbox.advance(1_100);
    const settled = await wait;
    assertEqual(settled.context.outcome?.by, { surface: "deadline" }, "who ended it");
    assertEqual(settled.state, "timedOut", "the state");
  }),

  portsCase("two waits for one session both get the outcome", async (inbox) => {
    const asker = await inbox.asker();
    const { session } = await ask(asker);
    const waits = [resumed(asker, session.id), resumed(asker, session.id)];
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
    const waits = ids.map((id) => resumed(asker, id));
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

  portsCase("aborting a wait leaves the session open", async (inbox) => {
    const asker = await inbox.asker();
    const { session } = await ask(asker);
    await leave(inbox, session.id);
    assertEqual((await (await inbox.desk()).get(session.id)).status, "pending", "the status");
  }),

  portsCase("a wait with an aborted signal does not start, and its asker counts as away", async (inbox) => {
    const asker = await inbox.asker();
    const { session } = await ask(asker);
    const { signal, abort } = aSignal();
    abort();
    await assertRejects(resumed(asker, session.id, { signal }), "ABORTED", "the wait");
    const desk = await inbox.desk();
    await inbox.until(async () => (await desk.get(session.id)).presence.asker === "away");
  }),

  portsCase("a wait with a ticket resolves with the pending session after its time", async (inbox) => {
    const asker = await inbox.asker();
    const desk = await inbox.desk();
    const { session } = await ask(asker);
    const wait = resumed(asker, session.id, { maxWait: 5_000 });
    await inbox.until(async () => (await desk.get(session.id)).presence.asker === "attached");
    await inbox.advance(5_000);
    assertEqual((await wait).state, "pending", "what the wait resolves with");
    assertEqual((await desk.get(session.id)).presence.asker, "will_ask_again", "the asker's presence");
    await inbox.advance(125_000);
    assertEqual((await desk.get(session.id)).presence.asker, "away", "the presence of an asker that does not come back");
  }),

  portsCase("polling resolves with the session as it is, and its asker is expected back", async (inbox) => {
    const asker = await inbox.asker();
    const desk = await inbox.desk();
    const { session } = await ask(asker);
    assertEqual((await resumed(asker, session.id, { maxWait: 0 })).state, "pending", "what the first look finds");
    assertEqual((await desk.get(session.id)).presence.asker, "will_ask_again", "the asker's presence");
    await inbox.advance(100_000);
    await resumed(asker, session.id, { maxWait: 0 });
    await inbox.advance(100_000);
    assertEqual((await desk.get(session.id)).presence.asker, "will_ask_again", "the presence of an asker that looked again");
    await desk.answer(session.id, validSet());
    assertEqual((await resumed(asker, session.id, { maxWait: 0 })).state, "answered", "what the last look finds");
  }),

  // promise: asker-scope
  portsCase("another token's session cannot be waited for or withdrawn, and nothing about it is revealed", async (inbox) => {
    const { session } = await ask(await inbox.asker("owner-1"));
    const stranger = await inbox.asker("owner-2");
    await assertRejects(resumed(stranger, session.id), "SESSION_NOT_FOUND", "a wait");
    await assertRejects(stranger.withdraw(session.id), "SESSION_NOT_FOUND", "a withdrawal");
    assertEqual(await earlierOf(stranger, anAsker()), [], "what is told of it");
    await assertRejects(resumed(stranger, "nosuchsession"), "SESSION_NOT_FOUND", "a wait for no session");
  }),

  // promise: agents-kept-apart
  portsCase("a session is only available to the agent that asked, if both identify themselves", async (inbox) => {
    const asker = await inbox.asker();
    const { session } = await ask(asker);
    const others = [{ agentId: "agent-2" }, { project: "/elsewhere" }, { client: { name: "another-client" } }].map((who) => anAsker(who));
    for (const other of others) {
      await assertRejects(asker.resume(session.id, { asker: other }), "SESSION_NOT_FOUND", "a wait of another agent");
      await assertRejects(asker.resume(session.id, { asker: other, maxWait: 0 }), "SESSION_NOT_FOUND", "a look of another agent");
      await assertRejects(asker.withdraw(session.id, { asker: other }), "SESSION_NOT_FOUND", "a withdrawal by another agent");
    }
    const same = [anAsker({ conversation: "next" }), { client: { name: "test-client", version: "2.0.0" } }, undefined];
    for (const who of same) {
      assertEqual((await resumed(asker, session.id, { asker: who, maxWait: 0 })).id, session.id, "what the agent itself finds");
    }
    const { message } = await assertRejects(asker.resume(session.id, { asker: others[0] }), "SESSION_NOT_FOUND", "a wait of another agent");
    const unknown = await assertRejects(asker.resume("nosuchsession", { asker: others[0] }), "SESSION_NOT_FOUND", "a wait for no session");
    assertEqual(message.replace(session.id, ""), unknown.message.replace("nosuchsession", ""), "what both are told");
    assertEqual((await asker.withdraw(session.id, { asker: anAsker() })).state, "cancelled", "a withdrawal by the agent itself");
  }),

  portsCase("a withdrawn session is cancelled in the asker's name and accepts no answer", async (inbox) => {
    const asker = await inbox.asker();
    const desk = await inbox.desk();
    const { session } = await ask(asker);
    await asker.withdraw(session.id, { reason: "no longer needed" });
    const view = await desk.get(session.id);
    assertEqual([view.status, view.outcome?.by.surface], ["cancelled", "asker"], "the session");
    await assertRejects(desk.answer(session.id, validSet()), "SESSION_CLOSED", "an answer");
    await assertRejects(asker.withdraw(session.id), "SESSION_CLOSED", "a second withdrawal");
    assertEqual((await earlierOf(asker, anAsker())).length, 0, "what is told of it later");
  }),

  // promise: equal-asks-separate
  portsCase("the same ask while the first is still being waited for is a separate session", async (inbox) => {
    const asker = await inbox.asker();
    const first = await ask(asker);
    const wait = resumed(asker, first.session.id);
    const second = await ask(asker);
    assert(first.session.id !== second.session.id, "two sessions");
    await (await inbox.desk()).answer(first.session.id, validSet());
    assertEqual((await wait).id, first.session.id, "what the first wait gets");
  }),

  portsCase("an ask with the key of an equal pending session joins it even while that is being waited for", async (inbox) => {
    const asker = await inbox.asker();
    const first = await ask(asker, {}, { key: "deploy" });
    const waits = [resumed(asker, first.session.id)];
    const second = await ask(asker, {}, { key: "deploy" });
    assertEqual([second.session.id, second.joined], [first.session.id, true], "the second ask");
    waits.push(resumed(asker, second.session.id));
    await (await inbox.desk()).answer(first.session.id, validSet());
    assertEqual(
      (await Promise.all(waits)).map(({ state }) => state),
      ["answered", "answered"],
      "what both get",
    );
    const third = await ask(asker, {}, { key: "deploy" });
    assert(third.session.id !== first.session.id || third.late, "a settled session is joined no more");
  }),

  portsCase("a key with another question, or from another agent, is rejected and joins nothing", async (inbox) => {
    const asker = await inbox.asker();
    const desk = await inbox.desk();
    const { session } = await ask(asker, textOnly(), { key: "deploy" });
    await assertRejects(ask(asker, {}, { key: "deploy" }), "CONFLICT", "another question");
    await assertRejects(ask(asker, textOnly(), { key: "deploy", asker: anAsker({ agentId: "agent-2" }) }), "CONFLICT", "another agent");
    await leave(inbox, session.id);
    await desk.answer(session.id, textAnswer("lathe"));
    await assertRejects(ask(asker, {}, { key: "deploy" }), "CONFLICT", "another question while the answer waits for its asker");
    assertEqual((await ask(asker, textOnly(), { key: "deploy" })).late, true, "whether the same question gets that answer");
    assertEqual((await desk.list({})).items.length, 1, "how many sessions there are");
  }),

  // promise: answer-waits-for-agent
  portsCase("an answer that arrived while nobody waited is returned to the next equal ask, marked late", async (inbox) => {
    const { asker, session } = await answeredAlone(inbox, "lathe");
    const again = await ask(asker, textOnly());
    assertEqual([again.session.id, again.late, again.session.state], [session.id, true, "answered"], "the second ask");
    await again.ack();
    const third = await ask(asker, textOnly());
    assertEqual([third.late, third.session.state], [false, "pending"], "an ask after the delivery");
  }),

  portsCase("hostile and long texts are returned as sent", async (inbox) => {
    const asker = await inbox.asker();
    const text = `\u0000\u001b]0;title\u0007\u202e${"😀".repeat(10_000)}`;
    const { session } = await ask(asker, textOnly());
    const wait = resumed(asker, session.id);
    await (await inbox.desk()).answer(session.id, textAnswer(text));
    const { outcome } = (await wait).context;
    assert(outcome?.kind === "answered" && outcome.answers[0]?.values[0] === text, "the text is unchanged");
  }),
];
