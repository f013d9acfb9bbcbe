import { anAsker, earlierOf, resumed } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";
import { aHub, text, textOnly } from "./support.ts";

const one = anAsker({ conversation: "one" });
const two = anAsker({ conversation: "two" });

/** A session that conversation one asked through a port of its own, which stays open. */
async function askedByOne(options?: { shared: boolean }) {
  const { broker, desk } = await aHub();
  const port = broker.asker("owner-1", options);
  const { session } = await port.ask(textOnly(), { asker: one, maxWait: 0, earlier: false });
  return { broker, desk, port, id: session.id, next: broker.asker("owner-1", options) };
}

describe("a session that a conversation asked", () => {
  // promise: agents-kept-apart
  test("is not there for another conversation of the agent while that one is connected", async () => {
    const { id, next } = await askedByOne();
    for (const maxWait of [0, 1_000])
      await expect(resumed(next, id, { asker: two, maxWait })).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
    await expect(next.withdraw(id, { asker: two })).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
    await expect(next.resume(id, { asker: two, reply: "Yes." })).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
    await expect(next.ask(textOnly(), { asker: two, replaces: id })).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
    const given = [{ sessionId: id, withOutcome: true, withReply: false, messages: 0 }];
    await expect(next.acknowledge(given, { asker: two })).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
  });

  test("is there for it as soon as that one has gone, or goes on as another", async () => {
    const closed = await askedByOne();
    closed.port.close();
    expect((await resumed(closed.next, closed.id, { asker: two, maxWait: 0 })).id).toBe(closed.id);
    const moved = await askedByOne();
    await moved.port.collect(anAsker({ conversation: "three" }));
    expect((await resumed(moved.next, moved.id, { asker: two, maxWait: 0 })).id).toBe(moved.id);
  });

  test("is there for the same conversation through whatever port, for one that does not say, and for its own port", async () => {
    const { id, next, port } = await askedByOne();
    expect((await resumed(next, id, { asker: anAsker(), maxWait: 0 })).id).toBe(id);
    expect((await resumed(port, id, { asker: two, maxWait: 0 })).id).toBe(id);
    expect((await resumed(next, id, { asker: one, maxWait: 0 })).id).toBe(id);
  });

  test("comes unasked to no other conversation that is connected, and to the next once it has gone", async () => {
    const { desk, id, next, port } = await askedByOne();
    await desk.answer(id, text());
    expect(await earlierOf(next, two)).toEqual([]);
    expect((await next.ask(textOnly(), { asker: two, maxWait: 0 })).late).toBe(false);
    port.close();
    expect((await earlierOf(next, two)).map((session) => session.id)).toEqual([id]);
  });

  test("is not joined by an equal ask of another, but by one under its key", async () => {
    const { broker } = await aHub();
    const port = broker.asker("owner-1");
    const { session } = await port.ask(textOnly(), { asker: one, maxWait: 0, key: "k" });
    const unnamed = await port.ask(textOnly(), { asker: one, maxWait: 0 });
    await expect(resumed(port, unnamed.session.id, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "ABORTED" });
    const next = broker.asker("owner-1");
    expect((await next.ask(textOnly(), { asker: two, maxWait: 0 })).joined).toBe(false);
    expect((await next.ask(textOnly(), { asker: two, maxWait: 0, key: "k" })).session.id).toBe(session.id);
  });

  test("is there by its id for all of a token that is shared, and comes unasked to its own agent alone", async () => {
    const { desk, id, next } = await askedByOne({ shared: true });
    const other = anAsker({ agentId: "agent-2", conversation: "two" });
    await desk.answer(id, text());
    expect(await earlierOf(next, other)).toEqual([]);
    const { session, earlier } = await next.resume(id, { asker: other });
    expect([session.id, earlier]).toEqual([id, []]);
  });

  test("is not taken up under its idempotency key with another question, or by another agent", async () => {
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
