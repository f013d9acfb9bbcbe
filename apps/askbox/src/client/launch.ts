import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { userInfo } from "node:os";
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
  /** The person's home folder. */
  home: string;
  /** The output of `--version` of a Node; undefined if it prints nothing. */
  nodeVersion(program: string): string | undefined;
}

/** The minimum version of Node. */
const least = [22, 13] as const;

/**
 * How another program starts this same command from any folder and with any PATH: by absolute paths. If the machine's own Node is new
 * enough, the installed command is used, which survives an update of Node; otherwise the running Node is part of the command.
 * A command run by npx has no permanent path, so it is started through npx again. Clients start it in the project, whose registry and
 * packages npx would use; with a prefix, it uses those of the home folder.
 */
export function clientLaunch(host: LaunchHost): string[] {
  const script = resolve(host.argv[1] ?? "askbox");
  const path = host.env["PATH"] ?? "";
  // A package manager's launcher uses the Node next to it, if there is one.
  const launcher =
    host.platform === "win32" || host.execArgv.length > 0 || isFleeting(script) ? undefined : launcherOf(script, host.platform);
  if (launcher !== undefined && existsSync(join(dirname(launcher), "node"))) return [launcher];
  // Windows can't start a script directly.
  const node = host.platform === "win32" ? undefined : ownProgram("node", path);
  if (node !== undefined && isFit(host.nodeVersion(node)) && host.execArgv.length === 0) {
    const npx = isFleeting(script) ? ownProgram("npx", path) : undefined;
    if (npx !== undefined) return [npx, "--prefix", host.home, "-y", `askbox@${version}`];
    const installed = installedCommand(script, path);
    if (installed !== undefined) return [installed];
  }
  return ownCommand({ execPath: host.execPath, execArgv: [...host.execArgv], argv: [...host.argv] });
}

/** Whether the script is in a cache that may be cleared. */
function isFleeting(script: string): boolean {
  return ["_npx", "dlx"].some((folder) => script.includes(`${sep}${folder}${sep}`)) || script.includes(`${sep}dlx-`);
}

function isFit(text: string | undefined): boolean {
  const [major = 0, minor = 0] = (text ?? "").replace(/^v/, "").split(".").map(Number);
  return major > least[0] || (major === least[0] && minor >= least[1]);
}

/** Milliseconds to wait for `node --version`. */
const timeout = 5_000;

export function launchHost(host: NodeJS.Process, env: LaunchHost["env"]): LaunchHost {
  const { execPath, execArgv, argv, platform } = host;
  return {
    execPath,
    execArgv,
    argv,
    platform,
    env,
    home: resolve(env["HOME"] || userInfo().homedir),
    nodeVersion(program) {
      try {
        return execFileSync(program, ["--version"], { encoding: "utf8", timeout: timeout, stdio: ["ignore", "pipe", "ignore"] }).trim();
      } catch {
        return undefined;
      }
    },
  };
}
