import type { Agents, SharedState } from "@askbox/core";
import { registeredAgentSchema } from "@askbox/core/schemas";
import { checkAgent } from "@askbox/core/stores";
import { sharedList } from "./shared-list.ts";

/** The agents that several hubs know by id. */
export function sharedAgents(shared: SharedState): Agents {
  const list = sharedList(shared, "agents", registeredAgentSchema);
  return {
    list: () => list.read(),
    async add(agent) {
      const read = checkAgent(agent);
      await list.change((agents) => {
        const isKnown = agents.some(({ id }) => id === read.id);
        return isKnown ? agents.map((known) => (known.id === read.id ? read : known)) : [...agents, read];
      });
      return { ...read };
    },
    async remove(id) {
      let isThere = false;
      await list.change((agents) => {
        isThere = agents.some((agent) => agent.id === id);
        return isThere ? agents.filter((agent) => agent.id !== id) : undefined;
      });
      return isThere;
    },
  };
}
