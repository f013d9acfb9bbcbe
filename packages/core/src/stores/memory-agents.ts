import { AskboxError } from "../errors.ts";
import { type Agents, type RegisteredAgent, registeredAgentSchema } from "../ports/agents.ts";
import { issueClause, issuePath } from "../session/issue-text.ts";
import { type KeptList, memoryList } from "./kept-list.ts";

/** Agents in a stored list. */
export function keptAgents(list: KeptList<RegisteredAgent>): Agents {
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

/** Agents in memory. With `save`, which receives all of them before a change takes effect, they outlive the process. */
export function memoryAgents({
  agents = [],
  save,
}: {
  agents?: readonly RegisteredAgent[];
  save?: (agents: RegisteredAgent[]) => Promise<void>;
} = {}): Agents {
  return keptAgents(memoryList(agents, save));
}

/** Validates an agent. Throws `VALIDATION` with one sentence. */
export function checkAgent(agent: unknown): RegisteredAgent {
  const read = registeredAgentSchema.safeParse(agent, { reportInput: true });
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const clause = issue === undefined ? "cannot be read" : issueClause(issue);
  throw new AskboxError("VALIDATION", `An agent's ${(issue && issuePath(issue)) || "entry"} ${clause}.`);
}
