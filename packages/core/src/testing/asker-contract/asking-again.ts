import type { Collected } from "../../ports/asker.ts";
import { assert, assertEqual, type ContractCase } from "../contract.ts";
import { anAsk, anAsker } from "../fixtures.ts";
import { ada, ask, deliver, earlierOf, type PortsHarness, portsCase, resumed, validSet } from "../ports-harness.ts";
import { answeredAlone, leave, textAnswer, textOnly } from "./support.ts";

/** The contract for asking again and delivery. */
export const askerAskingAgain: readonly ContractCase<PortsHarness>[] = [
  portsCase("the same ask joins the session whose asker has left, and moves its deadline", async (inbox) => {
    const asker = await inbox.asker();
    const desk = await inbox.desk();
    const { session } = await ask(asker, { timeout: 60_000 });
    await leave(inbox, session.id);
    await inbox.advance(30_000);
    const again = await ask(asker, { timeout: 60_000 });
    assertEqual([again.session.id, again.joined, again.late], [session.id, true, false], "the second ask");
    assertEqual(again.session.context.deadlineAt, (session.context.deadlineAt ?? 0) + 30_000, "the deadline");
    const wait = resumed(asker, session.id);
    await desk.answer(session.id, validSet());
    assertEqual((await wait).state, "answered", "what the second call gets");
  }),

  portsCase("of several equal asks at once, at most one joins the abandoned session", async (inbox) => {
    const asker = await inbox.asker();
    const { session } = await ask(asker);
    await leave(inbox, session.id);
    const again = await Promise.all([ask(asker), ask(asker), ask(asker)]);
    assertEqual(again.filter((opened) => opened.session.id === session.id).length, 1, "how many joined it");
  }),

  portsCase("asks that differ in text, project or agent do not join each other", async (inbox) => {
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

  // promise: answer-waits-for-agent
  portsCase("an answer older than 15 minutes is not returned to an equal ask", async (inbox) => {
    const { asker } = await answeredAlone(inbox, "lathe");
    await inbox.advance(901_000);
    assertEqual((await ask(asker, textOnly())).late, false, "whether it is late");
  }),

  // promise: confirm-never-from-past
  portsCase("a set with a confirmation is never answered from an earlier session, but shows the earlier answer", async (inbox) => {
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

  // promise: answer-waits-for-agent
  portsCase("undelivered outcomes are reported to their own asker until they are delivered", async (inbox) => {
    const { asker, session } = await answeredAlone(inbox, "lathe");
    assertEqual((await earlierOf(asker, anAsker({ agentId: "agent-2" }))).length, 0, "what another agent is told");
    assertEqual((await earlierOf(await inbox.asker("owner-2"), anAsker())).length, 0, "what another token is told");
    assertEqual(
      (await earlierOf(asker, anAsker())).map(({ id }) => id),
      [session.id],
      "what its asker is told",
    );
    await inbox.advance(6_000);
    assertEqual(
      (await earlierOf(asker, anAsker())).map(({ id }) => id),
      [session.id],
      "what it is told when it did not confirm",
    );
    await deliver(asker, session.id, { callId: "call-1" });
    await deliver(asker, session.id, { callId: "call-2" });
    assertEqual((await earlierOf(asker, anAsker())).length, 0, "what it is told afterwards");
    const { delivery } = await (await inbox.desk()).get(session.id);
    assert(delivery.deliveredAt !== null && delivery.callId === "call-1", "the first delivery is recorded");
  }),

  // promise: held-answer-comes-as-earlier, killed-call-answer-held, outcome-once-per-call
  portsCase("an outcome being delivered to one call is not given to another", async (inbox) => {
    const { asker } = await answeredAlone(inbox, "lathe");
    const told = await Promise.all([earlierOf(asker, anAsker()), earlierOf(asker, anAsker())]);
    assertEqual(told.flat().length, 1, "how often it is given");
  }),

  // promise: cancelled-call-answer-free
  portsCase("an outcome that could not be delivered is available to the next ask at once", async (inbox) => {
    const asker = await inbox.asker();
    const { session } = await ask(asker, textOnly());
    const wait = asker.resume(session.id);
    await (await inbox.desk()).answer(session.id, textAnswer("lathe"));
    const handover = await wait;
    const next = await inbox.asker();
    const meanwhile = await ask(next, textOnly());
    assertEqual([meanwhile.late, meanwhile.session.state], [false, "pending"], "an equal ask while it is in flight");
    await next.withdraw(meanwhile.session.id);
    await handover.nack();
    await handover.nack();
    await inbox.until(async () => (await ask(next, textOnly())).session.id === session.id);
  }),

  portsCase("an outcome that was delivered is not returned to the queue afterwards", async (inbox) => {
    const asker = await inbox.asker();
    const { session } = await ask(asker, textOnly());
    const wait = asker.resume(session.id);
    await (await inbox.desk()).answer(session.id, textAnswer("lathe"));
    const handover = await wait;
    await handover.ack();
    await handover.nack();
    assertEqual([(await ask(asker, textOnly())).late, (await earlierOf(asker, anAsker())).length], [false, 0], "what comes after");
  }),

  portsCase("other outcomes come along with a result, and are delivered or returned with it", async (inbox) => {
    const { asker, session } = await answeredAlone(inbox, "lathe");
    const ids = ({ earlier }: Collected) => earlier.map(({ id }) => id);
    const ticket = await asker.ask(anAsk(), { asker: anAsker(), maxWait: 0 });
    assertEqual([ticket.session.state, ids(ticket)], ["pending", [session.id]], "what comes along with a ticket");
    await ticket.nack();
    await (await inbox.desk()).answer(ticket.session.id, validSet());
    const settled = await asker.resume(ticket.session.id);
    assertEqual([settled.session.state, ids(settled)], ["answered", [session.id]], "what comes along with an answer");
    await settled.ack({ callId: "call-1" });
    assertEqual(await earlierOf(asker, anAsker()), [], "what is left afterwards");
    const { delivery } = await (await inbox.desk()).get(session.id);
    assertEqual(delivery.callId, "call-1", "the call that delivered it");
  }),

  portsCase("outcomes an asker did not want along stay for the next call", async (inbox) => {
    const { asker, session } = await answeredAlone(inbox, "lathe");
    const { session: other } = await ask(asker);
    await (await inbox.desk()).answer(other.id, validSet());
    const handover = await asker.resume(other.id, { earlier: false });
    assertEqual(handover.earlier, [], "what comes along");
    await handover.ack();
    assertEqual(
      (await earlierOf(asker, anAsker())).map(({ id }) => id),
      [session.id],
      "what is left",
    );
  }),

  portsCase("a reply that arrives between an outcome and its delivery is not delivered with it", async (inbox) => {
    const asker = await inbox.asker();
    const desk = await inbox.desk(ada);
    const { session } = await ask(asker, { timeout: 10_000 });
    const wait = asker.resume(session.id);
    await inbox.advance(10_100);
    const handover = await wait;
    await desk.reply(session.id, validSet({ comment: "sorry, lunch" }));
    await handover.ack();
    const [told] = await earlierOf(asker, anAsker());
    assertEqual(told?.reply?.comment, "sorry, lunch", "what is told after the delivery of the timeout");
    await deliver(asker, session.id);
    assertEqual((await earlierOf(asker, anAsker())).length, 0, "what is told after its own delivery");
  }),

  portsCase("an earlier answer is given to one of two equal asks at once", async (inbox) => {
    const { asker } = await answeredAlone(inbox, "lathe");
    const both = await Promise.all([ask(asker, textOnly()), ask(asker, textOnly())]);
    assertEqual(both.filter(({ late }) => late).length, 1, "how often it is given");
  }),

  // promise: reply-after-timeout
  portsCase("a reply after the deadline is reported as an earlier outcome, until it is delivered", async (inbox) => {
    const asker = await inbox.asker();
    const desk = await inbox.desk(ada);
    const { session } = await ask(asker, { timeout: 10_000 });
    const wait = resumed(asker, session.id);
    await inbox.advance(10_100);
    await wait;
    await deliver(asker, session.id);
    assertEqual((await earlierOf(asker, anAsker())).length, 0, "what is told before the reply");
    await desk.reply(session.id, validSet({ comment: "sorry, lunch" }));
    const [told] = await earlierOf(asker, anAsker());
    assertEqual([told?.id, told?.state, told?.reply?.comment], [session.id, "timedOut", "sorry, lunch"], "what is told then");
    await deliver(asker, session.id);
    assertEqual((await earlierOf(asker, anAsker())).length, 0, "what is told after its delivery");
  }),
];
