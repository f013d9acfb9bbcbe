import { createBroker, memoryStore, type RegisteredAgent } from "@askbox/core";
import { memoryAgents } from "@askbox/core/stores";
import { agentsContract, anAsk, anAsker, testPlatform } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";

describe("agents in memory", () => {
  const open = async () => ({ agents: memoryAgents(), close: async () => {} });
  for (const promise of agentsContract) test(promise.name, () => promise.run({ open }));

  test("are saved before a change takes effect, and unchanged if saving fails", async () => {
    const saved: RegisteredAgent[][] = [];
    let full = false;
    const save = async (agents: RegisteredAgent[]) => {
      if (full) throw new Error("no space left");
      saved.push(agents);
    };
    const agents = memoryAgents({ agents: [{ id: "a" }], save });
    await agents.add({ id: "b" });
    expect(saved).toEqual([[{ id: "a" }, { id: "b" }]]);
    full = true;
    await expect(agents.remove("a")).rejects.toThrow("no space left");
    full = false;
    await agents.add({ id: "c" });
    expect(await agents.list()).toEqual([{ id: "a" }, { id: "b" }, { id: "c" }]);
  });
});

describe("an ask if only registered agents are allowed", () => {
  const inbox = async () => {
    const broker = await createBroker({ store: memoryStore(), ...testPlatform() });
    const ask = (agentId?: string, registeredOnly = true) =>
      broker.asker("one").ask(anAsk(), { asker: { ...anAsker(), ...(agentId !== undefined && { agentId }) }, registeredOnly, maxWait: 0 });
    return { broker, ask };
  };

  test("accepts any id, or none, while no agent is registered", async () => {
    const { ask } = await inbox();
    expect((await ask("anybody")).session.asker.agentId).toBe("anybody");
    await ask();
  });

  test("rejects an unregistered id once one agent is registered, and asks nothing", async () => {
    const { broker, ask } = await inbox();
    await broker.agents.add({ id: "builder" });
    await expect(ask("anybody")).rejects.toMatchObject({ code: "UNKNOWN_AGENT", details: { agentId: "anybody" } });
    await expect(ask()).rejects.toMatchObject({ code: "UNKNOWN_AGENT" });
    expect((await broker.desk({ surface: "api" }).list()).items).toEqual([]);
    await ask("builder");
    await ask("anybody", false);
    await broker.agents.remove("builder");
    await ask("anybody");
  });
});
