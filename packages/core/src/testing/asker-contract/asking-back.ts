import type { Question, QuestionOf } from "../../session/questions/index.ts";
import type { SessionRecord } from "../../session/record.ts";
import { askedBack, isReply } from "../../session/thread.ts";
import { withField } from "../asked-fields.ts";
import { assert, assertEqual, assertRejects, type ContractCase } from "../contract.ts";
import { anAsk, anAsker } from "../fixtures.ts";
import { ada, ask, deliver, earlierOf, type Inbox, type PortsHarness, portsCase, resumed, validSet } from "../ports-harness.ts";
import { answeredAlone, leave, textAnswer, textOnly } from "./support.ts";

const textsOf = ({ thread }: Pick<SessionRecord, "thread">) =>
  thread.map((message) => [isReply(message) ? "agent" : "person", message.text]);
const askedOf = (session: SessionRecord) => askedBack(session).map(({ text }) => text);

/** Waits for a session until a person asks something back, and acknowledges it. */
async function askedOnce(inbox: Inbox, text: string) {
  const asker = await inbox.asker();
  const desk = await inbox.desk(ada);
  const { session } = await ask(asker);
  const wait = asker.resume(session.id, { earlier: false });
  await desk.askBack(session.id, { text });
  await (await wait).ack();
  return { asker, desk, id: session.id };
}

/** The contract for asking back, replying and replacing, from the agent's side. */
export const askerAskingBack: readonly ContractCase<PortsHarness>[] = [
  // promise: message-not-lost
  portsCase("a wait ends with a person's message, and the session stays open", async (inbox) => {
    const asker = await inbox.asker();
    const { session } = await ask(asker);
    const wait = resumed(asker, session.id);
    await (await inbox.desk(ada)).askBack(session.id, { text: "Why not Postgres?", questionId: "q_select" });
    const handover = await wait;
    assertEqual(handover.state, "pending", "the state");
    const [message, ...more] = askedBack(handover);
    assertEqual([message?.text, message?.questionId, message?.by, more], ["Why not Postgres?", "q_select", ada, []], "what was asked");
    const presence = async () => (await (await inbox.desk()).get(session.id)).presence.asker;
    assertEqual(await presence(), "will_ask_again", "the presence of an agent that writes its reply");
    await inbox.advance(125_000);
    assertEqual(await presence(), "away", "the presence of an agent that does not reply");
  }),

  portsCase("an ask ends with a person's message, too", async (inbox) => {
    const asker = await inbox.asker();
    const desk = await inbox.desk(ada);
    const { session } = await asker.ask(anAsk(), {
      asker: anAsker(),
      onOpened: ({ session: { id } }) => void desk.askBack(id, { text: "Why?" }),
    });
    assertEqual([session.state, askedOf(session)], ["pending", ["Why?"]], "what the ask comes back with");
  }),

  portsCase("a reply is kept in the thread, and the agent continues to wait for the answer", async (inbox) => {
    const { asker, desk, id } = await askedOnce(inbox, "Why?");
    const wait = resumed(asker, id, { reply: "Because it is **small**." });
    await inbox.until(async () => (await desk.get(id)).presence.asker === "attached");
    assertEqual(
      textsOf({ thread: (await desk.get(id)).thread ?? [] }),
      [
        ["person", "Why?"],
        ["agent", "Because it is **small**."],
      ],
      "the thread",
    );
    await desk.answer(id, validSet());
    assertEqual((await wait).state, "answered", "what the wait resolves with");
  }),

  portsCase("a reply sent twice is kept once, by its key or by its text", async (inbox) => {
    const { asker, id } = await askedOnce(inbox, "Why?");
    for (const idempotencyKey of ["reply-1", "reply-1", undefined]) {
      await resumed(asker, id, { reply: "Because.", maxWait: 0, idempotencyKey });
    }
    const { thread } = await resumed(asker, id, { maxWait: 0 });
    assertEqual(
      textsOf({ thread }),
      [
        ["person", "Why?"],
        ["agent", "Because."],
      ],
      "the thread",
    );
    await (await inbox.desk()).askBack(id, { text: "Really?" });
    await deliver(asker, id);
    const again = await resumed(asker, id, { reply: "Because.", maxWait: 0 });
    assertEqual(again.thread.length, 4, "messages, after the same words to another question");
  }),

  // promise: message-not-lost
  portsCase("a message that nobody waited for comes with the agent's next call, once", async (inbox) => {
    const asker = await inbox.asker();
    const desk = await inbox.desk(ada);
    const { session } = await ask(asker, textOnly());
    await leave(inbox, session.id);
    await desk.askBack(session.id, { text: "Why?" });
    const other = await asker.ask(anAsk({ questions: anAsk().questions.slice(1, 2) }), { asker: anAsker(), maxWait: 0 });
    assertEqual(
      other.earlier.map((one) => [one.id, one.state, askedOf(one)]),
      [[session.id, "pending", ["Why?"]]],
      "what comes along with another question",
    );
    await other.ack();
    assertEqual(await earlierOf(asker, anAsker()), [], "what is left to be told");
    await desk.answer(session.id, textAnswer("lathe"));
    const [answered, ...more] = await earlierOf(asker, anAsker());
    assertEqual([answered?.id, answered?.state, more], [session.id, "answered", []], "the answer, which is still to be told");
  }),

  // promise: message-not-lost
  portsCase("a message is kept until it was delivered to the call that requested it", async (inbox) => {
    const asker = await inbox.asker();
    const desk = await inbox.desk(ada);
    const { session } = await ask(asker);
    await leave(inbox, session.id);
    await desk.askBack(session.id, { text: "Why?" });
    const first = await asker.resume(session.id);
    assertEqual(askedOf(first.session), ["Why?"], "the first time");
    await first.nack();
    const second = await asker.resume(session.id);
    assertEqual(askedOf(second.session), ["Why?"], "the second time");
    await second.ack();
    const third = await asker.resume(session.id, { maxWait: 0 });
    assertEqual([askedOf(third.session), third.session.thread.length], [[], 1], "the third time");
  }),

  // promise: answer-beats-message
  portsCase("acknowledging a message leaves a later outcome undelivered", async (inbox) => {
    const asker = await inbox.asker();
    const desk = await inbox.desk(ada);
    const { session } = await ask(asker, textOnly());
    await desk.askBack(session.id, { text: "Why?" });
    const asked = await asker.resume(session.id);
    await desk.answer(session.id, textAnswer("lathe"));
    await asked.ack();
    const [answered] = await earlierOf(asker, anAsker());
    assertEqual([answered?.id, answered?.state], [session.id, "answered"], "what is left to be told");
  }),

  portsCase("a reply to a session that was settled meanwhile is kept, and returns the outcome", async (inbox) => {
    const { asker, desk, id } = await askedOnce(inbox, "Why?");
    await desk.answer(id, validSet());
    const { state, thread } = await resumed(asker, id, { reply: "Because." });
    assertEqual([state, thread.length], ["answered", 2], "the state, and the messages");
  }),

  portsCase("a reply is rejected if nobody asked, and if it is empty or too long", async (inbox) => {
    const asker = await inbox.asker();
    const { session } = await ask(asker);
    const reply = (text: string) => asker.resume(session.id, { reply: text, maxWait: 0 });
    await assertRejects(reply("Because."), "VALIDATION", "a reply to nobody");
    await (await inbox.desk()).askBack(session.id, { text: "Why?" });
    await assertRejects(reply(" "), "VALIDATION", "an empty reply");
    await assertRejects(reply("x".repeat(10_001)), "VALIDATION", "a long reply");
    await assertRejects(
      (await inbox.asker("owner-2")).resume(session.id, { reply: "Because.", maxWait: 0 }),
      "SESSION_NOT_FOUND",
      "a stranger's reply",
    );
    assertEqual((await resumed(asker, session.id, { reply: "x".repeat(10_000), maxWait: 0 })).thread.length, 2, "messages at last");
  }),

  // promise: replacing-keeps-drafts
  portsCase("better questions take over the thread, the position in the list and the drafts of equal questions", async (inbox) => {
    const { asker, desk, id } = await askedOnce(inbox, "Which modules?");
    const before = await desk.get(id);
    await desk.saveDraft(id, { fields: { q_text: { values: ["lathe"] }, q_confirm: { values: ["yes"] } }, comment: "quickly" });
    const [text, select] = anAsk().questions;
    assert(text !== undefined && select !== undefined, "the questions");
    const better = anAsk({
      questions: [
        { ...text, id: "name" },
        { ...select, question: "Which database, for `lathe` alone?" },
      ],
    });
    const { session, joined } = await ask(asker, better, { replaces: id });
    const fresh = await desk.get(session.id);
    assertEqual([joined, fresh.status, fresh.createdAt, fresh.replaces], [false, "pending", before.createdAt, id], "the new session");
    assertEqual(textsOf({ thread: fresh.thread ?? [] }), [["person", "Which modules?"]], "its thread");
    const draft = await desk.getDraft(session.id);
    assertEqual([draft?.fields, draft?.comment], [{ name: { values: ["lathe"] } }, "quickly"], "its draft");
    const old = await desk.get(id);
    assertEqual([old.status, old.replacedBy, old.outcome?.by.surface], ["cancelled", session.id, "asker"], "the old session");
    await assertRejects(desk.answer(id, validSet()), "SESSION_CLOSED", "an answer to the old session");
    assertEqual(await earlierOf(asker, anAsker()), [], "what is left to be told");
  }),

  // promise: replacing-keeps-drafts, answer-only-for-what-was-shown
  portsCase("of a changed question, a draft keeps the person's words and the choices of which everything shown is equal", async (inbox) => {
    const asker = await inbox.asker();
    const desk = await inbox.desk();
    const options = anAsk().questions[2] as QuestionOf<"multi-select">;
    const asked: Question[] = [
      { ...options, options: options.options.map((option) => ({ ...option, description: `${option.label}, tested` })) },
      { id: "q_order", type: "ranking", question: "In which order?", required: true, options: options.options },
      { id: "q_text", type: "text", question: "Which name?", required: true },
      { id: "q_number", type: "number", question: "How many?", required: true, max: 3 },
      { id: "q_confirm", type: "confirm", question: "Now?", required: true },
    ];
    const { session } = await ask(asker, { questions: asked });
    const fields = {
      q_multi: { values: ["linux", "macos"], customText: "Plan 9", note: "Soon" },
      q_order: { values: ["macos", "linux", "windows"], note: "Roughly" },
      q_text: { values: ["lathe"] },
      q_number: { values: ["2"], note: "Small" },
      q_confirm: { values: ["yes"] },
    };
    await desk.saveDraft(session.id, { fields });
    const replacing = [
      withField(asked[0] as Question, "options.0.description", "Linux, untested"),
      withField(asked[1] as Question, "options.0.description", "New"),
      { ...asked[2], placeholder: "A tool's" } as Question,
      { ...asked[3], max: 30 } as Question,
      { ...asked[4], header: "Production" } as Question,
    ];
    const { session: fresh } = await ask(asker, { questions: replacing }, { replaces: session.id });
    const draft = await desk.getDraft(fresh.id);
    assertEqual(
      draft?.fields,
      {
        q_multi: { values: ["macos"], customText: "Plan 9", note: "Soon" },
        q_order: { note: "Roughly" },
        q_text: { values: ["lathe"] },
        q_number: { note: "Small" },
      },
      "its draft",
    );
  }),

  // promise: replacing-keeps-drafts, answer-only-for-what-was-shown
  portsCase("under another title or heading, a draft keeps the person's words, and no choice", async (inbox) => {
    const asker = await inbox.asker();
    const desk = await inbox.desk();
    const [text, , options] = anAsk().questions as [Question, Question, Question];
    const confirm: Question = { id: "q_confirm", type: "confirm", question: "Now?", required: true };
    const fields = {
      [text.id]: { values: ["lathe"] },
      q_confirm: { values: ["yes"] },
      [options.id]: { values: ["linux"], customText: "Plan 9" },
    };
    const words = { [text.id]: { values: ["lathe"] }, [options.id]: { customText: "Plan 9" } };
    for (const [title, header] of [
      ["Production", undefined],
      ["Staging", "Production"],
    ]) {
      const { session } = await ask(asker, { title: "Staging", questions: [text, confirm, options] });
      await desk.saveDraft(session.id, { fields });
      const asked = [text, confirm, options].map((question) => (header === undefined ? question : { ...question, header }));
      const { session: fresh } = await ask(asker, { title, questions: asked }, { replaces: session.id });
      assertEqual((await desk.getDraft(fresh.id))?.fields, words, `its draft under ${title}, ${header}`);
    }
  }),

  // promise: message-not-lost
  portsCase("an undelivered message from before the questions were replaced comes with the new ones", async (inbox) => {
    const { asker, desk, id } = await askedOnce(inbox, "Which modules?");
    await desk.askBack(id, { text: "And why now?" });
    const { session } = await asker.ask(anAsk(textOnly()), { asker: anAsker(), replaces: id, earlier: false });
    assertEqual([session.state, askedOf(session)], ["pending", ["And why now?"]], "what the new ask comes back with");
  }),

  // promise: answer-beats-message
  portsCase("settled questions are not replaced: their outcome is returned instead", async (inbox) => {
    const { asker, desk, session } = await answeredAlone(inbox, "lathe");
    const instead = await asker.ask(anAsk(), { asker: anAsker(), replaces: session.id });
    assertEqual([instead.session.id, instead.session.state, instead.late], [session.id, "answered", true], "what comes");
    assertEqual((await desk.list({ statuses: ["pending"] })).items.length, 0, "questions that are open");
    await assertRejects(ask(await inbox.asker("owner-2"), {}, { replaces: session.id }), "SESSION_NOT_FOUND", "a stranger's replacement");
  }),

  portsCase("a replacing ask, repeated with its idempotency key, is the same ask", async (inbox) => {
    const { asker, desk, id } = await askedOnce(inbox, "Why?");
    const replace = () => ask(asker, textOnly(), { replaces: id, idempotencyKey: "better-1" });
    const [first, again] = [await replace(), await replace()];
    assertEqual(again.session.id, first.session.id, "the session");
    assertEqual(
      (await desk.list({ statuses: ["pending"] })).items.map((one) => one.id),
      [first.session.id],
      "what is open",
    );
  }),
];
