import { execFileSync } from "node:child_process";
import { cpus, loadavg, totalmem } from "node:os";

/** What a figure cannot be read without. */
export interface Machine {
  date: string;
  /** The commit that was measured; with `+` where files differ from it. */
  commit: string;
  node: string;
  platform: string;
  cpus: number;
  cpu: string;
  /** In GiB. */
  memory: number;
  /** Load of the last minute when the run began: what is far above 0 was shared with others. */
  load: number;
}

export function describeMachine(root: string): Machine {
  const [first] = cpus();
  return {
    date: new Date().toISOString(),
    commit: commitOf(root),
    node: process.version,
    platform: `${process.platform}-${process.arch}`,
    cpus: cpus().length,
    cpu: first?.model.trim() ?? "unknown",
    memory: Math.round(totalmem() / 2 ** 30),
    load: Number((loadavg()[0] ?? 0).toFixed(1)),
  };
}

function commitOf(root: string): string {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  try {
    return git("rev-parse", "--short", "HEAD") + (git("status", "--porcelain", "--untracked-files=no") === "" ? "" : "+");
  } catch {
    return "unknown";
  }
}
