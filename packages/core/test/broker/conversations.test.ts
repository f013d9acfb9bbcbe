import { anAsk, anAsker, earlierOf, resumed } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";
import { aHub, text, textOnly } from "./support.ts";

const one = anAsker({ conversation: "one" });
const two = anAsker({ conversation: "two" });

/** Milliseconds after which a session that nothing waits for is no longer kept for its asker's return. */
const unclaimed = 10_000;

/** A session that conversation one asked through its own port, which stays open. Nothing waits for it. */
async function askedByOne(options?: { shared: boolean }) {
  const { broker, desk, clock } = await aHub();
  const port = broker.asker("owner-1", options);
  const { session } = await port.ask(textOnly(), { asker: one, maxWait: 0, earlier: false });
  await clock.advance(unclaimed);
  return { broker, desk, port, id: session.id, next: broker.asker("owner-1", options) };
}

test("a list of conversations names an approval by its action, not by the agent's words for it", async () => {
  const { broker, desk } = await aHub();
  const action = { kind: "command", tool: "Bash", title: "Run the tests", command: `rm -rf ${"build ".repeat(50)}` } as const;
  const request = anAsk({ title: "Harmless", questions: [{ id: "run", type: "approval", question: "May I?", required: true, action }] });
  await broker.asker("owner-1").ask(request, { asker: one, maxWait: 0 });
  const [{ sessions: [session] = [] } = {}] = await desk.conversations();
  expect(session).toMatchObject({ question: "May I?", title: expect.stringMatching(/^Bash: rm -rf build /) });
  expect(session?.title).toHaveLength(200);
});

describe("a session asked by a conversation", () => {
  // promise: agents-kept-apart
  test("is hidden from the agent's other conversations while its own is connected", async () => {
    const { id, next } = await askedByOne();
    for (const maxWait of [0, 1_000])
      await expect(resumed(next, id, { asker: two, maxWait })).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
    await expect(next.withdraw(id, { asker: two })).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
    await expect(next.resume(id, { asker: two, reply: "Yes." })).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
    await expect(next.ask(textOnly(), { asker: two, replaces: id })).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
    const delivered = [{ sessionId: id, withOutcome: true, withReply: false, messages: 0 }];
    await expect(next.acknowledge(delivered, { asker: two })).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
  });

  test("is visible to them once it has gone or has changed to another conversation", async () => {
    const closed = await askedByOne();
    closed.port.close();
    expect((await resumed(closed.next, closed.id, { asker: two, maxWait: 0 })).id).toBe(closed.id);
    const moved = await askedByOne();
    await moved.port.collect(anAsker({ conversation: "three" }));
    expect((await resumed(moved.next, moved.id, { asker: two, maxWait: 0 })).id).toBe(moved.id);
  });

  test("is visible to the same conversation through any port, to one that names none, and to its own port", async () => {
    const { id, next, port } = await askedByOne();
    expect((await resumed(next, id, { asker: anAsker(), maxWait: 0 })).id).toBe(id);
    expect((await resumed(port, id, { asker: two, maxWait: 0 })).id).toBe(id);
    expect((await resumed(next, id, { asker: one, maxWait: 0 })).id).toBe(id);
  });

  test("is not reported to other connected conversations, and is reported to the next once its own has gone", async () => {
    const { desk, id, next, port } = await askedByOne();
    await desk.answer(id, text());
    expect(await earlierOf(next, two)).toEqual([]);
    expect((await next.ask(textOnly(), { asker: two, maxWait: 0 })).late).toBe(false);
    port.close();
    expect((await earlierOf(next, two)).map((session) => session.id)).toEqual([id]);
  });

  test("is not joined by an equal ask from another conversation, except with its key", async () => {
    const { broker } = await aHub();
    const port = broker.asker("owner-1");
    const { session } = await port.ask(textOnly(), { asker: one, maxWait: 0, key: "k" });
    const unnamed = await port.ask(textOnly(), { asker: one, maxWait: 0 });
    await expect(resumed(port, unnamed.session.id, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "ABORTED" });
    const next = broker.asker("owner-1");
    expect((await next.ask(textOnly(), { asker: two, maxWait: 0 })).joined).toBe(false);
    expect((await next.ask(textOnly(), { asker: two, maxWait: 0, key: "k" })).session.id).toBe(session.id);
  });

  // promise: agents-kept-apart
  test("by a program that names none is that program's while it is connected, whatever agent it asks for in between", async () => {
    const { broker, desk, clock } = await aHub();
    const [first, second] = [anAsker({ instance: "first" }), anAsker({ instance: "second" })];
    const port = broker.asker("owner-1");
    const { session } = await port.ask(textOnly(), { asker: first, maxWait: 0, earlier: false });
    await port.collect(anAsker({ instance: "first", agentId: "agent-2" }));
    await desk.answer(session.id, text());
    await clock.advance(unclaimed);
    const next = broker.asker("owner-1");
    expect([await earlierOf(next, second), await earlierOf(next, anAsker())]).toEqual([[], []]);
    await expect(resumed(next, session.id, { asker: second, maxWait: 0 })).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
    expect((await resumed(next, session.id, { asker: anAsker(), maxWait: 0 })).id, "with its id, without a name").toBe(session.id);
    await next.release([{ sessionId: session.id, withOutcome: true, withReply: false, messages: 0 }]);
    port.close();
    expect((await earlierOf(next, second)).map(({ id }) => id)).toEqual([session.id]);
  });

  // promise: agents-kept-apart
  test.each([
    ["somebody who names no conversation", anAsker()],
    ["another conversation", two],
    ["another program", anAsker({ instance: "another" })],
  ])("is not collected in its agent's name by %s", async (_who, claimed) => {
    const { desk, id, next, port } = await askedByOne();
    await desk.answer(id, text());
    await next.collect({ ...claimed, agentId: "agent-2" });
    expect(await earlierOf(next, claimed)).toEqual([]);
    expect((await next.ask(textOnly(), { asker: claimed, maxWait: 0, earlier: false })).late).toBe(false);
    expect((await earlierOf(port, one)).map((session) => session.id)).toEqual([id]);
  });

  test("is available by id to everyone with a shared token, but only reported to its own agent", async () => {
    const { desk, id, next } = await askedByOne({ shared: true });
    const other = anAsker({ agentId: "agent-2", conversation: "two" });
    await desk.answer(id, text());
    expect(await earlierOf(next, other)).toEqual([]);
    const { session, earlier } = await next.resume(id, { asker: other });
    expect([session.id, earlier]).toEqual([id, []]);
  });

  test("is not resumed with its idempotency key by a different question or another agent", async () => {
    const { asker } = await aHub();
    const options = { asker: one, maxWait: 0, idempotencyKey: "first" };
    const { session } = await asker.ask(textOnly(), options);
    expect((await asker.ask(textOnly(), options)).session.id).toBe(session.id);
    const others = [
      asker.ask(textOnly(), { ...options, asker: anAsker({ agentId: "agent-2" }) }),
      asker.ask({ ...textOnly(), questions: [] }, options),
    ];
    for (const other of others)
      await expect(other).rejects.toMatchObject({ code: "CONFLICT", message: expect.stringContaining('"first"') });
  });
});
