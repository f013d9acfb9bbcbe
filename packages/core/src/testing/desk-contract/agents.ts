import type { Desk } from "../../ports/desk.ts";
import { assert, assertEqual, assertRejects, type ContractCase } from "../contract.ts";
import { anAsker } from "../fixtures.ts";
import { ada, ask, deliver, earlierOf, type PortsHarness, portsCase, resumed, validSet } from "../ports-harness.ts";

/** A conversation of an agent whose program is connected for as long as its port. */
const named = (conversation: string) => anAsker({ conversation, agentId: undefined });
/** An agent of which only its questions are known. */
const unnamed = anAsker();

const statesOf = async (desk: Desk) => (await desk.conversations()).map(({ asker, state }) => [asker.conversation, state]);
const textsOf = (thread: readonly { text: string }[]) => thread.map(({ text }) => text);

/** The contract for agents' conversations, and for what people write to them. */
export const deskAgents: readonly ContractCase<PortsHarness>[] = [
  portsCase("agents' conversations are listed with what each does, those that wait first", async (inbox) => {
    const [first, second] = [await inbox.asker(), await inbox.asker("owner-2")];
    const desk = await inbox.desk(ada);
    await ask(first, { title: "Of one" }, { asker: named("one") });
    await inbox.advance(11_000);
    const waiting = resumedByWait(second, "Of two");
    await inbox.until(async () => (await desk.conversations()).some(({ state }) => state === "waiting"));
    assertEqual(
      await statesOf(desk),
      [
        ["two", "waiting"],
        ["one", "working"],
      ],
      "the conversations",
    );
    const [two] = await desk.conversations();
    assertEqual(
      two?.sessions.map(({ title, question, status }) => [title, question, status]),
      [["Of two", "What should the new module be called?", "pending"]],
      "its questions",
    );
    assertEqual([two?.asker.branch, two?.undelivered, two?.takesMessages], ["main", 0, true], "what is known about it");
    await desk.answer(two?.sessions[0]?.id ?? "", validSet());
    await waiting;
    await inbox.until(async () => (await desk.conversations()).every(({ state }) => state === "working"));
  }),

  portsCase("an agent that left a question open has gone, since it left", async (inbox) => {
    const desk = await inbox.desk(ada);
    await ask(await inbox.asker(), {}, { asker: unnamed });
    await inbox.advance(60_000);
    const [conversation] = await desk.conversations();
    assertEqual([conversation?.state, (conversation?.since ?? 0) > (conversation?.startedAt ?? 0)], ["gone", true], "the conversation");
  }),

  portsCase("the outlook of a session says whether a call waits for it, and an inbox that can wake nobody refuses to", async (inbox) => {
    const asker = await inbox.asker();
    const desk = await inbox.desk(ada);
    const { session } = await ask(asker, {}, { asker: unnamed });
    await inbox.advance(60_000);
    assertEqual((await desk.outlook(session.id)).next, "next_call", "how an agent that has left gets it");
    const waiting = resumed(asker, session.id);
    await inbox.until(async () => (await desk.outlook(session.id)).next === "waits");
    await assertRejects(desk.wake(session.id), "VALIDATION", "wake() where nothing can wake");
    await desk.answer(session.id, validSet());
    await waiting;
  }),

  portsCase("a message to an agent that waits returns its call, and the question stays open", async (inbox) => {
    const asker = await inbox.asker();
    const desk = await inbox.desk(ada);
    const waiting = resumedByWait(asker, "Waits");
    await inbox.until(async () => (await desk.conversations())[0]?.state === "waiting");
    const [conversation] = await desk.conversations();
    const told = await desk.message(conversation?.id ?? "", "Take the short way.");
    assertEqual([told.status, textsOf(told.thread ?? [])], ["pending", ["Take the short way."]], "the session");
    const handover = await waiting;
    assertEqual([handover.state, textsOf(handover.thread)], ["pending", ["Take the short way."]], "what the call returns");
  }),

  portsCase("a message to an agent that doesn't wait comes with its next call until one has acknowledged it", async (inbox) => {
    const asker = await inbox.asker();
    const desk = await inbox.desk(ada);
    const { session } = await ask(asker, {}, { asker: unnamed });
    await desk.answer(session.id, validSet());
    await deliver(asker, session.id);
    await inbox.advance(3_600_000);
    const told = await desk.message(session.id, "Also update the docs.");
    assertEqual([told.status, told.id, textsOf(told.thread ?? [])], ["answered", session.id, ["Also update the docs."]], "the session");
    assertEqual((await desk.conversations())[0]?.undelivered, 1, "undelivered messages");
    const cut = await asker.collect(unnamed);
    assertEqual(
      cut.earlier.flatMap(({ thread }) => textsOf(thread)),
      ["Also update the docs."],
      "what a call gets that is cut",
    );
    await cut.nack();
    const { earlier, ack } = await ask(asker, { title: "Next" }, { asker: unnamed, earlier: true });
    assertEqual(
      earlier.flatMap(({ thread }) => textsOf(thread)),
      ["Also update the docs."],
      "what the next call gets",
    );
    await ack();
    assertEqual(await earlierOf(asker, unnamed), [], "what is left afterwards");
    assert((await desk.get(session.id)).thread?.[0]?.deliveredAt !== undefined, "when it was delivered");
  }),

  portsCase(
    "a message to an agent is rejected if it is empty or too long, for an unknown agent, or after 20 that it hasn't received",
    async (inbox) => {
      const asker = await inbox.asker();
      const desk = await inbox.desk(ada);
      await assertRejects(desk.message("a_0123456789ab", "Hi."), "SESSION_NOT_FOUND", "an unknown agent");
      const { session } = await ask(asker, {}, { asker: unnamed });
      await desk.cancel(session.id);
      for (const text of ["", " \n", "x".repeat(4_001)]) await assertRejects(desk.message(session.id, text), "VALIDATION", "its text");
      const first = () => desk.message(session.id, "1", { idempotencyKey: "first" });
      await Promise.all([first(), first()]);
      for (let count = 2; count <= 20; count += 1) await desk.message(session.id, `${count}`);
      await assertRejects(desk.message(session.id, "21"), "TOO_MANY_ROUNDS", "the 21st");
      assertEqual((await first()).thread?.length, 20, "messages");
    },
  ),

  portsCase("an agent that only asks for approval gets no messages", async (inbox) => {
    const desk = await inbox.desk(ada);
    const request = {
      questions: [
        {
          id: "may",
          type: "approval" as const,
          question: "May it?",
          required: true,
          action: { kind: "command" as const, command: "make" },
        },
      ],
    };
    const { session } = await ask(await inbox.asker(), request, { asker: unnamed });
    await assertRejects(desk.message(session.id, "Hi."), "VALIDATION", "a message");
    assertEqual(
      (await desk.conversations()).map(({ takesMessages }) => takesMessages),
      [false],
      "whether it takes messages",
    );
  }),
];

async function resumedByWait(asker: Parameters<typeof ask>[0], title: string) {
  const info = named("two");
  const { session } = await ask(asker, { title }, { asker: info });
  return resumed(asker, session.id, { asker: info });
}
