import { AskboxError, type DeskEvent } from "@askbox/core";
import { anAsk, aRecord, deliver, earlierOf, fakeClock, resumed, seededIds, settled } from "@askbox/core/testing";
import { channelPair, createWireClient, deskEventSchema, type WireClient } from "@askbox/wire";
import fc from "fast-check";
import { fuzz } from "../engine/fuzz.ts";
import { mutated } from "../engine/mutated.ts";
import { writeOut } from "../engine/odd.ts";
import { assertSentence, fault } from "../engine/oracle.ts";
import { agent, answerSet, asker } from "../engine/samples.ts";
import { openWorld, turns } from "../engine/world.ts";

const record = aRecord({ id: "s1" });
const done = settled(record);
const view = {
  id: "s1",
  revision: 2,
  status: "answered",
  asker,
  questions: anAsk().questions,
  createdAt: 1,
  deadlineAt: 5,
  closedAt: 2,
  outcome: done.context.outcome,
  delivery: { deliveredAt: null },
  presence: { asker: "away", openIn: [{ surface: "web" }] },
};
const draft = { sessionId: "s1", revision: 1, fields: { q_text: { values: ["x"] } }, updatedAt: 5, by: { surface: "web" } };
/** A fake hub replaces 0 with the request's own id. */
const replies = [
  { id: 0, result: { items: [view], nextCursor: "1_s1" } },
  { id: 0, result: view },
  { id: 0, result: done },
  { id: 0, result: { session: record, joined: false, late: false } },
  { id: 0, result: draft },
  { id: 0, result: null },
  { id: 0, error: { code: "SESSION_CLOSED", message: "It is closed.", details: { session: view } } },
  { id: 0, error: { code: "HUB_CLOSING", message: "It is closing." } },
  { watch: 0, event: { type: "snapshot", sessions: [view], drafts: [draft] } },
  { watch: 0, event: { type: "session", session: view } },
  { watch: 0, event: { type: "draft_erased", sessionId: "s1" } },
  { bye: "stopped" },
  { ping: 1 },
];
const welcome = { welcome: { protocol: 2, hub: { version: "1", instance: "i" }, by: { surface: "web", name: "ada" } } };
const refusal = { error: { code: "UNAUTHORIZED", message: "Nobody knows this token.", details: {} } };

const calls = {
  desk: ({ desk }: WireClient, onEvent: (event: DeskEvent) => void) => [
    desk.list(),
    desk.get("s1"),
    desk.answer("s1", answerSet),
    desk.saveDraft("s1", { comment: "x" }),
    desk.getDraft("s1"),
    desk.watch({}, onEvent),
    desk.attend("s1"),
  ],
  asker: ({ asker: port }: WireClient) => [
    port.ask(anAsk(), { asker, maxWait: 0 }),
    resumed(port, "s1"),
    earlierOf(port, asker),
    deliver(port, "s1"),
    port.withdraw("s1"),
  ],
};

/** What a hub, or something else, may send to a client. */
fuzz({
  name: "wire-client",
  input: fc.record({
    role: fc.constantFrom("desk" as const, "asker" as const),
    welcome: fc.oneof(
      { weight: 6, arbitrary: fc.constant(JSON.stringify(welcome)) },
      { weight: 2, arbitrary: mutated([welcome, refusal]) },
    ),
    replies: fc.array(mutated(replies, { damage: 0.1 }), { minLength: 1, maxLength: 8 }),
  }),
  runs: 80,
  open: () => ({
    async take(input) {
      const clock = fakeClock({ settle: turns });
      let hello = 0;
      let sent = 0;
      const client = createWireClient({
        async connect() {
          const [near, far] = channelPair();
          far.onMessage((text) => {
            const { id } = JSON.parse(text) as { id?: number };
            if (id === undefined) {
              hello += 1;
              // Only a limited number of times: a hub that always responds the same way is reconnected to forever.
              if (hello < 4) far.send(writeOut(input.welcome));
              return;
            }
            const reply = input.replies[sent % input.replies.length] ?? "";
            sent += 1;
            far.send(writeOut(reply).replace(/"(id|watch)":0/, `"$1":${id}`));
          });
          return near;
        },
        hello: { token: "t", role: input.role, ...(input.role === "desk" && { surface: "web" as const }), agent },
        clock,
        ids: seededIds(),
        random: () => 0.5,
        timeout: 5_000,
      });
      const under = calls[input.role](client, (event) => {
        if (!deskEventSchema.safeParse(event).success) fault("A watcher is told what is no event.");
      });
      const ended = Promise.allSettled(under as Promise<unknown>[]);
      await turns();
      await clock.advance(40_000);
      client.close();
      for (const outcome of await ended) if (outcome.status === "rejected") assertReported(outcome.reason);
      await assertAnotherWorks();
    },
  }),
});

/** An unreadable reply is an error with a sentence; a hub's own messages are passed on unchanged. */
function assertReported(reason: unknown): void {
  if (!(reason instanceof AskboxError)) fault(`A call ended with ${reason instanceof Error ? reason.stack : String(reason)}`);
  if (reason.code !== "INTERNAL" || /cannot be read/.test(reason.message))
    return assertSentence(reason.message.slice(0, 1_000) || "Nothing.", reason.code);
}

/** The process continues: another broker, another round. */
async function assertAnotherWorks(): Promise<void> {
  const world = await openWorld();
  await world.assertServes();
  await world.close();
}
