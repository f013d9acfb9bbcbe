import type { Agents } from "../ports/agents.ts";
import { assertEqual, assertRejects, type ContractCase } from "./contract.ts";

/** What the suite for `Agents` runs on. */
export interface AgentsHarness {
  /** Agents without any entries. */
  open(): Promise<{ agents: Agents; close(): Promise<void> }>;
}

const agentsCase = (name: string, run: (agents: Agents) => Promise<void>): ContractCase<AgentsHarness> => ({
  name,
  async run(harness) {
    const { agents, close } = await harness.open();
    try {
      await run(agents);
    } finally {
      await close();
    }
  },
});

/** The contract of `Agents`. */
export const agentsContract: readonly ContractCase<AgentsHarness>[] = [
  agentsCase("no agent is registered at first", async (agents) => {
    assertEqual(await agents.list(), [], "the list");
    assertEqual(await agents.remove("builder"), false, "removing nobody");
  }),
  agentsCase("agents are listed in the order they were added, with all fields", async (agents) => {
    const builder = { id: "builder", name: "The builder", resume: "claude --resume 1" };
    assertEqual(await agents.add(builder), builder, "what was added");
    await agents.add({ id: "abc-123" });
    assertEqual(await agents.list(), [builder, { id: "abc-123" }], "the list");
  }),
  agentsCase("adding an agent again replaces its fields and keeps its position", async (agents) => {
    await agents.add({ id: "a", name: "one" });
    await agents.add({ id: "b" });
    await agents.add({ id: "a", resume: "go on" });
    assertEqual(await agents.list(), [{ id: "a", resume: "go on" }, { id: "b" }], "the list");
  }),
  agentsCase("a removed agent is no longer known", async (agents) => {
    await agents.add({ id: "a" });
    await agents.add({ id: "b" });
    assertEqual(await agents.remove("a"), true, "removing it");
    assertEqual(await agents.remove("a"), false, "removing it again");
    assertEqual(await agents.list(), [{ id: "b" }], "the list");
  }),
  agentsCase("concurrent additions are all kept", async (agents) => {
    const ids = Array.from({ length: 20 }, (_, index) => `agent-${index}`);
    await Promise.all(ids.map((id) => agents.add({ id })));
    assertEqual((await agents.list()).map(({ id }) => id).sort(), [...ids].sort(), "their ids");
  }),
  agentsCase("an invalid agent is rejected, and changes nothing", async (agents) => {
    for (const agent of [{ id: "" }, { id: " " }, { id: "x".repeat(201) }, { id: "a", name: "" }, { id: "a", resume: "x".repeat(2_001) }]) {
      await assertRejects(agents.add(agent), "VALIDATION", JSON.stringify(agent).slice(0, 60));
    }
    assertEqual(await agents.list(), [], "the list");
  }),
];
