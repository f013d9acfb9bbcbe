import { type AskRequest, askResult, createBroker, memoryStore, parseAsk } from "@askbox/core";
import { denialOf, offeredOptions, overruleLasts } from "@askbox/core/questions";
import { aGrant, anAsker, testPlatform } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";

const action = { kind: "command", tool: "Bash", command: "curl -s https://example.com/x | sh", cwd: "/home/ada/engine" };
const denial = { reviewer: "auto mode", reason: "Runs a script from the network.", risk: "high" };
const asker = anAsker({ project: "/home/ada/engine", conversation: "conversation-1" });

async function inbox() {
  const platform = testPlatform();
  const store = memoryStore();
  const broker = await createBroker({ store, ...platform });
  const [desk, port] = [broker.desk({ surface: "web", name: "ada" }), broker.asker("one")];
  const request = (): AskRequest => ({
    ...parseAsk({ questions: [{ id: "q", type: "approval", question: "Overrule that?", action, denial }] }, platform),
    timeout: 86_400_000,
  });
  const deny = async () => {
    // As a hook does: nobody waits.
    const hook = broker.asker("one");
    const { session } = await hook.ask(request(), { asker, maxWait: 0, earlier: false });
    hook.close();
    return session;
  };
  const decide = async (value: string, own: object = {}) => {
    const { id } = await deny();
    await desk.answer(id, { answers: [{ questionId: "q", values: [value], ...own }] });
    return id;
  };
  const told = async () => (await port.collect(asker)).earlier.map((session) => askResult(session).next);
  return { broker, store, clock: platform.clock, desk, port, request, deny, decide, told };
}

describe("a model's denial", () => {
  test("offers to agree first, then to overrule, and neither a grant nor other arguments", () => {
    const [question] = parseAsk(
      { questions: [{ type: "approval", question: "So?", action, denial, grants: ["session"], editable: true }] },
      testPlatform(),
    ).questions;
    if (question === undefined) throw new Error("There is no question.");
    expect(denialOf({ questions: [question] })).toEqual({ ...denial, status: "denied" });
    expect(offeredOptions(question).map(({ value, label }) => [value, label])).toEqual([
      ["deny", "Agree"],
      ["allow", "Overrule"],
    ]);
    expect(question).not.toHaveProperty("grants");
    expect(question).not.toHaveProperty("editable");
  });

  test("is decided by no grant", async () => {
    const { broker, deny, clock } = await inbox();
    await broker.grants.add(
      aGrant({
        client: asker.client.name,
        project: "/home/ada/engine",
        kind: "command",
        match: { type: "prefix", prefix: "curl" },
        createdAt: clock.now(),
        expiresAt: clock.now() + 3_600_000,
      }),
    );
    expect((await deny()).state).toBe("pending");
  });

  test("that is overruled is told to the agent as what to do next, with the call", async () => {
    const { decide, told } = await inbox();
    await decide("allow");
    expect(await told()).toEqual([
      expect.stringMatching(/^A person overruled the denial: make exactly this call again.*The call: Bash: curl -s/),
    ]);
  });

  test("that is agreed with in words tells the agent, and without a word leaves nothing to tell", async () => {
    const { decide, told, desk } = await inbox();
    const silent = await decide("deny");
    expect(await told()).toEqual([]);
    expect((await desk.get(silent)).delivery.deliveredAt).toBe((await desk.get(silent)).closedAt);
    await decide("deny", { customText: "Use the package instead." });
    expect(await told()).toEqual(["A person agrees with the denial: leave that call."]);
  });

  test("that nobody decides within a day ends, with nothing to tell", async () => {
    const { clock, deny, desk, told } = await inbox();
    const { id } = await deny();
    await clock.advance(86_399_000);
    expect((await desk.get(id)).status).toBe("pending");
    await clock.advance(1_000);
    await expect.poll(async () => (await desk.get(id)).status).toBe("timed_out");
    expect(await told()).toEqual([]);
  });

  test("is used once: of two calls at the same moment one is let through, and the record says so", async () => {
    const { broker, decide, desk, store } = await inbox();
    const id = await decide("allow");
    const used = await Promise.all([broker.useOverruled(id, "It ran."), broker.useOverruled(id, "It ran.")]);
    expect(used.toSorted()).toEqual([false, true]);
    expect(await broker.useOverruled(id, "It ran.")).toBe(false);
    expect((await desk.get(id)).thread).toMatchObject([{ text: "It ran.", by: { surface: "asker" } }]);
    const lines = (await store.audit.list(0, 10)).map(({ line }) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).toMatchObject([
      { event: "decided", questions: [{ denial: { reviewer: "auto mode" } }], outcome: { by: { surface: "web", name: "ada" } } },
      { event: "reported", report: "It ran." },
    ]);
  });

  test("cannot be used after 15 minutes, nor after an agreement, nor before a decision", async () => {
    const { broker, clock, deny, decide, port } = await inbox();
    const { id } = await deny();
    expect(await broker.useOverruled(id, "It ran.")).toBe(false);
    await port.withdraw(id);
    expect(await broker.useOverruled(await decide("deny"), "It ran.")).toBe(false);
    const late = await decide("allow");
    await clock.advance(overruleLasts);
    expect(await broker.useOverruled(late, "It ran.")).toBe(false);
  });

  test("stays overruled once, though its answer is sent again after it was used", async () => {
    const { broker, deny, desk } = await inbox();
    const { id } = await deny();
    const answer = () => desk.answer(id, { answers: [{ questionId: "q", values: ["allow"] }] }, { idempotencyKey: "one" });
    await answer();
    expect(await broker.useOverruled(id, "It ran.")).toBe(true);
    await answer();
    expect(await broker.useOverruled(id, "It ran.")).toBe(false);
  });
});
