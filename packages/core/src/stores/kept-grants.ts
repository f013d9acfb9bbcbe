import { AskboxError } from "../errors.ts";
import { type Grant, type Grants, grantSchema } from "../ports/grants.ts";
import { issueClause, issuePath } from "../session/issue-text.ts";
import { type KeptList, memoryList } from "./kept-list.ts";

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
