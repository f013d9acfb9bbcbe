import { AskboxError } from "../errors.ts";
import { type Agents, type RegisteredAgent, registeredAgentSchema } from "../ports/agents.ts";
import { issueClause, issuePath } from "../session/issue-text.ts";

/** Agents in memory. With `save`, which is given all of them, before a change counts, they outlive the process. */
export function memoryAgents({
  agents = [],
  save = async () => {},
}: {
  agents?: readonly RegisteredAgent[];
  save?: (agents: RegisteredAgent[]) => Promise<void>;
} = {}): Agents {
  let known = new Map(agents.map((agent) => [agent.id, agent]));
  /** Changes are made one after the other, so that none is saved over another. */
  let last: Promise<unknown> = Promise.resolve();
  const change = <Result>(work: (next: Map<string, RegisteredAgent>) => Result): Promise<Result> => {
    const done = last.then(async () => {
      const next = new Map(known);
      const result = work(next);
      await save([...next.values()]);
      known = next;
      return result;
    });
    last = done.catch(() => {});
    return done;
  };
  return {
    list: async () => [...known.values()].map((agent) => ({ ...agent })),
    async add(agent) {
      const read = checkAgent(agent);
      return change((next) => {
        next.set(read.id, read);
        return { ...read };
      });
    },
    remove: (id) => change((next) => next.delete(id)),
  };
}

/** What may be registered. Throws `VALIDATION` with one sentence. */
export function checkAgent(agent: unknown): RegisteredAgent {
  const read = registeredAgentSchema.safeParse(agent, { reportInput: true });
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const clause = issue === undefined ? "cannot be read" : issueClause(issue);
  throw new AskboxError("VALIDATION", `An agent's ${(issue && issuePath(issue)) || "entry"} ${clause}.`);
}
