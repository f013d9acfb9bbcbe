import { AskboxError } from "../errors.ts";
import { type Agents, type RegisteredAgent, registeredAgentSchema } from "../ports/agents.ts";
import { type Grant, type Grants, grantSchema } from "../ports/grants.ts";
import { issueClause, issuePath } from "../session/issue-text.ts";

/** Runs works one after the other, in the order in which they came. One that fails keeps no other from its turn. */
export function oneAtATime(): <Result>(work: () => Result | Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
}

/** A short stored list. */
export interface KeptList<Item> {
  read(): Promise<Item[]>;
  /**
   * Stores what `next` returns for the list; undefined leaves it unchanged. `next` may be called again if another process has changed the
   * list.
   */
  change(next: (items: readonly Item[]) => readonly Item[] | undefined): Promise<Item[]>;
}

/** A list in memory. With `save`, which receives the whole list before a change takes effect, it outlives the process. */
export function memoryList<Item extends object>(
  items: readonly Item[] = [],
  save: (items: Item[]) => Promise<void> = async () => {},
): KeptList<Item> {
  let known = [...items];
  // So that no change overwrites another.
  const inTurn = oneAtATime();
  return {
    read: async () => known.map((item) => ({ ...item })),
    change: (next) =>
      inTurn(async () => {
        const changed = next(known);
        if (changed === undefined) return [...known];
        await save([...changed]);
        known = [...changed];
        return [...known];
      }),
  };
}

/** More than a person looks through. */
const maxGrants = 1_000;

/** Grants in a stored list. Expired ones are removed when another is added. */
export function keptGrants(list: KeptList<Grant>): Grants {
  return {
    list: () => list.read(),
    async add(grant) {
      const read = checkGrant(grant);
      const kept = await list.change((grants) => {
        if (grants.some(({ id }) => id === read.id)) return undefined;
        const standing = grants.filter(({ expiresAt }) => expiresAt > read.createdAt);
        if (standing.length >= maxGrants) {
          throw new AskboxError("VALIDATION", `There are ${maxGrants} grants; revoke some before you make another.`);
        }
        return [...standing, read];
      });
      return { ...(kept.find(({ id }) => id === read.id) ?? read) };
    },
    async remove(id) {
      let isThere = false;
      await list.change((grants) => {
        isThere = grants.some((grant) => grant.id === id);
        return isThere ? grants.filter((grant) => grant.id !== id) : undefined;
      });
      return isThere;
    },
  };
}

/** Grants in memory; they are lost with the process. */
export const memoryGrants = (): Grants => keptGrants(memoryList<Grant>());

/** Validates a grant. Throws `VALIDATION` with one sentence. */
function checkGrant(grant: unknown): Grant {
  const read = grantSchema.safeParse(grant, { reportInput: true });
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const clause = issue === undefined ? "cannot be read" : issueClause(issue);
  throw new AskboxError("VALIDATION", `A grant's ${(issue && issuePath(issue)) || "entry"} ${clause}.`);
}

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
