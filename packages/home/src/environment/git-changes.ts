import { execFile } from "node:child_process";
import { gitBranch } from "./git-branch.ts";

/** Milliseconds. An ask isn't delayed by more than this, and git is not started again for the same folder within `keptFor`. */
const [maxTime, keptFor] = [200, 10_000];
const maxLength = 2_000;

const known = new Map<string, { at: number; changes: Promise<string | undefined> }>();

/**
 * What has changed in the folder since the last commit, as `git diff --stat` prints it, shortened; undefined without a branch, if nothing has
 * changed, or if git takes longer than `timeout` ms. Runs nothing that the repository configures.
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

async function readChanges(project: string, timeout: number): Promise<string | undefined> {
  if ((await gitBranch(project)) === undefined) return undefined;
  const safe = ["-c", "core.fsmonitor=false", "--no-optional-locks"];
  const stat = ["diff", "--stat=80", "--stat-count=20", "--no-color", "--no-ext-diff", "--no-textconv", "HEAD"];
  return new Promise((resolve) => {
    const options = { timeout, killSignal: "SIGKILL", maxBuffer: 65_536, windowsHide: true } as const;
    const git = execFile("git", ["-C", project, ...safe, ...stat], options, (error, stdout) => {
      const text = error === null ? stdout.trimEnd() : "";
      resolve(text === "" ? undefined : text.slice(0, maxLength));
    });
    git.unref();
  });
}
