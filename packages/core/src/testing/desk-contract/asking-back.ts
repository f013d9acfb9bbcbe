import type { SessionView } from "../../session/view.ts";
import { assert, assertEqual, assertRejects, type ContractCase } from "../contract.ts";
import { ada, ask, bob, deliver, type PortsHarness, portsCase, resumed, validSet } from "../ports-harness.ts";

const textsOf = ({ thread = [] }: SessionView) => thread.map(({ text, by }) => [text, by]);

/** The contract for asking back, from the people's side. */
export const deskAskingBack: readonly ContractCase<PortsHarness>[] = [
  portsCase("a message to the agent is kept in the session's thread, with who asked, where and when", async (inbox) => {
    const asker = await inbox.asker();
    const { session } = await ask(asker);
    const desk = await inbox.desk(ada);
    await desk.saveDraft(session.id, { fields: { q_text: { values: ["la"] } } });
    assertEqual((await desk.get(session.id)).thread, undefined, "the thread at first");
    const asked = await desk.askBack(session.id, { text: "Why not Postgres?", questionId: "q_select" });
    assertEqual([asked.status, textsOf(asked)], ["pending", [["Why not Postgres?", ada]]], "the session");
    assertEqual((await desk.getDraft(session.id))?.fields, { q_text: { values: ["la"] } }, "the draft");
    await deliver(asker, session.id);
    assert((await desk.get(session.id)).thread?.[0]?.deliveredAt !== undefined, "when the agent was given it");
    assertEqual(
      (await desk.list({ text: "postgres?" })).items.map(({ id }) => id),
      [session.id],
      "what a search for its words finds",
    );
  }),

  portsCase("people see each other's messages, and the agent's replies, as they arrive", async (inbox) => {
    const asker = await inbox.asker();
    const { session } = await ask(asker);
    const [first, second] = [await inbox.desk(ada), await inbox.desk(bob)];
    let seen: SessionView | undefined;
    const watch = await second.watch({}, (event) => {
      if (event.type === "session") seen = event.session;
    });
    await first.askBack(session.id, { text: "Why?" });
    await second.askBack(session.id, { text: "And when?" });
    await deliver(asker, session.id);
    await resumed(asker, session.id, { reply: "Soon.", maxWait: 0 });
    await inbox.until(() => seen?.thread?.length === 3);
    const by = { surface: "asker" as const, name: session.asker.client.name };
    assertEqual(
      seen && textsOf(seen),
      [
        ["Why?", ada],
        ["And when?", bob],
        ["Soon.", by],
      ],
      "what is seen",
    );
    watch.close();
  }),

  // promise: message-moves-deadline
  portsCase("each message moves the deadline to at least 5 minutes from then, and never earlier", async (inbox) => {
    const asker = await inbox.asker();
    const { session } = await ask(asker, { timeout: 10_000 });
    const desk = await inbox.desk(ada);
    await inbox.advance(9_000);
    await desk.askBack(session.id, { text: "Why?" });
    await inbox.advance(290_000);
    assertEqual((await desk.get(session.id)).status, "pending", "the status 4:50 after the question");
    await deliver(asker, session.id);
    await resumed(asker, session.id, { reply: "Because.", maxWait: 0 });
    await inbox.advance(290_000);
    assertEqual((await desk.get(session.id)).status, "pending", "the status 4:50 after the reply");
    await inbox.advance(11_000);
    assertEqual((await desk.get(session.id)).status, "timed_out", "the status 5:01 after the reply");
    const { session: long } = await ask(asker, { timeout: 1_800_000 });
    assertEqual((await desk.askBack(long.id, { text: "Why?" })).deadlineAt, long.context.deadlineAt, "a deadline that is far away");
  }),

  portsCase("a question can still be answered if the agent never replies", async (inbox) => {
    const asker = await inbox.asker();
    const { session } = await ask(asker);
    const desk = await inbox.desk(ada);
    await desk.askBack(session.id, { text: "Why?" });
    assertEqual((await desk.answer(session.id, validSet())).status, "answered", "the status");
    const handover = await resumed(asker, session.id);
    assertEqual([handover.state, handover.thread.map(({ text }) => text)], ["answered", ["Why?"]], "what the agent is given");
  }),

  portsCase("a message to the agent is rejected if it is empty, too long or about an unknown question", async (inbox) => {
    const { session } = await ask(await inbox.asker());
    const desk = await inbox.desk(ada);
    for (const text of ["", " \n", "x".repeat(4_001)]) await assertRejects(desk.askBack(session.id, { text }), "VALIDATION", "its text");
    await assertRejects(desk.askBack(session.id, { text: "Why?", questionId: "nope" }), "VALIDATION", "its question");
    assertEqual((await desk.askBack(session.id, { text: "x".repeat(4_000) })).thread?.length, 1, "messages at last");
  }),

  portsCase("an agent can be asked back 20 times at most", async (inbox) => {
    const { session } = await ask(await inbox.asker());
    const desk = await inbox.desk(ada);
    for (let round = 1; round <= 20; round += 1) await desk.askBack(session.id, { text: `Why ${round}?` });
    await assertRejects(desk.askBack(session.id, { text: "Why?" }), "TOO_MANY_ROUNDS", "the 21st question");
    assertEqual((await desk.get(session.id)).thread?.length, 20, "messages");
  }),

  portsCase("a message to the agent that is repeated with its idempotency key is kept once", async (inbox) => {
    const { session } = await ask(await inbox.asker());
    const desk = await inbox.desk(ada);
    const askBack = () => desk.askBack(session.id, { text: "Why?" }, { idempotencyKey: "why-1" });
    await Promise.all([askBack(), askBack()]);
    assertEqual((await askBack()).thread?.length, 1, "messages");
  }),

  // promise: answer-beats-message
  portsCase("of an answer and a message at the same moment, the answer wins, and the message is kept", async (inbox) => {
    const asker = await inbox.asker();
    const { session } = await ask(asker);
    const [first, second] = [await inbox.desk(ada), await inbox.desk(bob)];
    const [answered] = await Promise.allSettled([first.answer(session.id, validSet()), second.askBack(session.id, { text: "Why?" })]);
    assertEqual(answered.status, "fulfilled", "the answer");
    const view = await first.get(session.id);
    assertEqual([view.status, textsOf(view)], ["answered", [["Why?", bob]]], "the session");
    const handover = await resumed(asker, session.id);
    assertEqual([handover.state, handover.thread.length], ["answered", 1], "what the agent is given");
  }),

  // promise: answer-beats-message
  portsCase("a message just after the answer reports the outcome, and is kept; a later one is rejected", async (inbox) => {
    const { session } = await ask(await inbox.asker());
    const desk = await inbox.desk(ada);
    await desk.answer(session.id, validSet());
    const error = await assertRejects(desk.askBack(session.id, { text: "Why?" }), "SESSION_CLOSED", "a question just after the answer");
    const stands = error.details?.["session"] as SessionView | undefined;
    assertEqual([stands?.status, stands?.thread?.length], ["answered", 1], "what stands");
    await inbox.advance(11_000);
    await assertRejects(desk.askBack(session.id, { text: "And why?" }), "SESSION_CLOSED", "a question much later");
    assertEqual((await desk.get(session.id)).thread?.length, 1, "messages");
  }),
];
