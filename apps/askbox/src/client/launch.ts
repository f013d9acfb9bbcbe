import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { ownCommand } from "../hub-command.ts";
import { installedCommand, launcherOf, ownProgram } from "../installed-command.ts";
import { version } from "../version.ts";

export interface LaunchHost {
  execPath: string;
  execArgv: readonly string[];
  argv: readonly string[];
  platform: NodeJS.Platform;
  env: Readonly<Record<string, string | undefined>>;
  /** What `--version` says of a Node; undefined if it says nothing. */
  nodeVersion(program: string): string | undefined;
}

/** The least Node that runs askbox. */
const least = [22, 13] as const;

/**
 * How another program starts this very command, whatever folder it is in and whatever its own PATH holds: by absolute paths. Where the
 * machine's own Node is new enough, the installed command stands for itself and outlives an update of Node; else the Node that runs now is
 * named too. A run by npx has no lasting place, so that npx is to fetch it again.
 */
export function clientLaunch(host: LaunchHost): string[] {
  const script = resolve(host.argv[1] ?? "askbox");
  const path = host.env["PATH"] ?? "";
  // Beside a launcher that a package manager made there may be a Node of its own, which the launcher takes.
  const launcher =
    host.platform === "win32" || host.execArgv.length > 0 || isFleeting(script) ? undefined : launcherOf(script, host.platform);
  if (launcher !== undefined && existsSync(join(dirname(launcher), "node"))) return [launcher];
  // Windows starts no script by itself.
  const node = host.platform === "win32" ? undefined : ownProgram("node", path);
  if (node !== undefined && isFit(host.nodeVersion(node)) && host.execArgv.length === 0) {
    const npx = isFleeting(script) ? ownProgram("npx", path) : undefined;
    if (npx !== undefined) return [npx, "-y", `askbox@${version}`];
    const installed = installedCommand(script, path);
    if (installed !== undefined) return [installed];
  }
  return ownCommand({ execPath: host.execPath, execArgv: [...host.execArgv], argv: [...host.argv] });
}

/** Whether the script lies in a cache that may be emptied. */
function isFleeting(script: string): boolean {
  return ["_npx", "dlx"].some((folder) => script.includes(`${sep}${folder}${sep}`)) || script.includes(`${sep}dlx-`);
}

function isFit(text: string | undefined): boolean {
  const [major = 0, minor = 0] = (text ?? "").replace(/^v/, "").split(".").map(Number);
  return major > least[0] || (major === least[0] && minor >= least[1]);
}

/** Milliseconds that a Node may take to say its version. */
const timeout = 5_000;

export function launchHost(host: NodeJS.Process, env: LaunchHost["env"]): LaunchHost {
  const { execPath, execArgv, argv, platform } = host;
  return {
    ...{ execPath, execArgv, argv, platform, env },
    nodeVersion(program) {
      try {
        return execFileSync(program, ["--version"], { encoding: "utf8", timeout: timeout, stdio: ["ignore", "pipe", "ignore"] }).trim();
      } catch {
        return undefined;
      }
    },
  };
}
