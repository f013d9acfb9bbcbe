import { spawnSync } from "node:child_process";
import { root } from "./run.ts";

/** What the tests with the tag `redis` guard. Elsewhere a change can't break them unless it breaks another test too. */
const rooms = [
  "packages/store-redis",
  "packages/core/src/broker",
  "packages/core/src/testing",
  "packages/agents/elicit/src/store",
  "packages/hub/src/shared",
];

/** What git prints; undefined if it can't say, such as in a clone without history. */
export type Git = (...args: string[]) => string | undefined;

const git: Git = (...args) => {
  const { status, stdout } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
};

/**
 * Whether Redis' own tests run, and one line that says so. They do if they are asked for, or if a room has changed: since the branch left
 * origin's main, or on main itself since the commit before; in either case with what is not committed yet. Where git can't tell, they run.
 */
export function redisNeeds(askedBy: string | undefined, ask: Git = git): { run: boolean; reason: string } {
  if (askedBy) return { run: true, reason: `Redis' own tests run: ${askedBy} asks for them.` };
  const head = ask("rev-parse", "HEAD");
  const left = ask("merge-base", "HEAD", "origin/main");
  const base = left === undefined || left === head ? ask("rev-parse", "--verify", "--quiet", "HEAD~1") : left;
  if (base === undefined) return { run: true, reason: "Redis' own tests run: git does not know what has changed." };
  const committed = ask("diff", "--name-only", base, "--", ...rooms);
  const added = ask("ls-files", "--others", "--exclude-standard", "--", ...rooms);
  const [changed] = `${committed}\n${added}`.trim().split("\n");
  const since = `since ${base.slice(0, 8)}`;
  return changed === undefined || changed === ""
    ? { run: false, reason: `Redis' own tests don't run: ${rooms.join(", ")} are unchanged ${since}. \`pnpm test --redis\` runs them.` }
    : { run: true, reason: `Redis' own tests run: ${changed} has changed ${since}.` };
}
