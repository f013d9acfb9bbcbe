import { execFile } from "node:child_process";
import { cut } from "@askbox/core/questions";
import { gitBranch } from "./git-branch.ts";

/** Milliseconds. An ask isn't delayed by more than this, and git is not started again for the same folder within `keptFor`. */
const [maxTime, keptFor] = [200, 10_000];
const maxLength = 2_000;

const known = new Map<string, { at: number; changes: Promise<string | undefined> }>();

/**
 * What has changed in the folder since the last commit, as `git diff --stat` prints it, shortened; undefined without a branch, if nothing has
 * changed, or if git takes longer than `timeout` ms. Runs nothing that the repository configures, and writes nothing.
 */
export function gitChanges(project: string, timeout = maxTime): Promise<string | undefined> {
  const before = known.get(project);
  const now = performance.now();
  if (before !== undefined && now - before.at < keptFor) return before.changes;
  known.clear();
  // An ask never fails for lack of it.
  const changes = readChanges(project, timeout).catch(() => undefined);
  known.set(project, { at: now, changes });
  return changes;
}

/**
 * Options for every git that we start in somebody's repository: it takes no lock, not even to refresh the index, and runs no monitor that the
 * repository configures.
 */
export const readOnlyGit: readonly string[] = ["-c", "core.fsmonitor=false", "-c", "diff.autoRefreshIndex=false", "--no-optional-locks"];

/**
 * The environment for every git that we start in somebody's repository. Git otherwise fetches objects that a partial clone lacks: it would
 * write them there, by a program that the repository may name.
 */
export const readOnlyGitEnv = (): NodeJS.ProcessEnv => ({ ...process.env, GIT_ALLOW_PROTOCOL: "none", GIT_NO_LAZY_FETCH: "1" });

async function readChanges(project: string, timeout: number): Promise<string | undefined> {
  if ((await gitBranch(project)) === undefined) return undefined;
  const late = AbortSignal.timeout(timeout);
  const filters = await git(project, ["config", "--null", "--name-only", "--get-regexp", filterNames], late).catch(noneFound);
  const stat = ["diff", "--stat=80", "--stat-count=20", "--no-color", "--no-ext-diff", "--no-textconv", "--ignore-submodules", "HEAD"];
  const text = (await git(project, [...withoutFilters(filters), ...stat], late)).trimEnd();
  return text === "" ? undefined : cut(text, maxLength, "");
}

const filterNames = "^filter[.].*[.](clean|process|required)$";

/** Git's exit code 1: no such setting. Any other failure doesn't say which filters there are. */
function noneFound(error: unknown): string {
  if ((error as { code?: unknown }).code === 1) return "";
  throw error;
}

/** Without the programs that read a file for git: they write, such as Git LFS into the repository. */
function withoutFilters(names: string): string[] {
  const all = names.split("\0").filter((name) => name !== "");
  if (all.some((name) => name.includes("="))) throw new Error("Git can't be told to leave out a filter with = in its name.");
  return all.flatMap((name) => ["-c", `${name}=${name.endsWith(".required") ? "false" : ""}`]);
}

/** What git prints. Rejects if it fails, or at the signal, when git is asked to end and removes what it has begun. */
function git(project: string, args: readonly string[], late: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    late.addEventListener("abort", reject, { once: true });
    const options = { signal: late, env: readOnlyGitEnv(), maxBuffer: 65_536, windowsHide: true, encoding: "utf8" } as const;
    const child = execFile("git", ["-C", project, ...readOnlyGit, ...args], options, (error, stdout) => {
      late.removeEventListener("abort", reject);
      if (error === null) resolve(stdout);
      else reject(error);
    });
    child.unref();
  });
}
