import { execFileSync } from "node:child_process";
import { accessSync, constants, existsSync, realpathSync } from "node:fs";
import { userInfo } from "node:os";
import { delimiter, dirname, join, resolve, sep } from "node:path";
import { ownCommand } from "../hub-command.ts";
import { version } from "../version.ts";

/*
 * How this same command is started elsewhere: by a client, from any folder and with any PATH, and by a person in another terminal. A path that
 * npx or a package manager may clear, or a Node that is too old, must not end up in a client's settings.
 */

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

/** The command for this script in the user's own terminal. Folders that a package manager adds to the PATH of its scripts don't count. */
function installedCommand(script: string, path: string): string | undefined {
  const first = ownFolders(path)
    .map((folder) => join(folder, "askbox"))
    .find(isExecutable);
  return first !== undefined && realpathSync(first) === realpathSync(script) ? first : undefined;
}

/** A program on the user's own PATH. */
function ownProgram(name: string, path: string): string | undefined {
  return ownFolders(path)
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

/** The launcher that a package manager created next to the package. */
function launcherOf(script: string, platform: NodeJS.Platform): string | undefined {
  const name = platform === "win32" ? "askbox.cmd" : "askbox";
  for (let folder = dirname(script); folder !== dirname(folder); folder = dirname(folder)) {
    const launcher = join(folder, "node_modules", ".bin", name);
    if (existsSync(launcher)) return launcher;
  }
  return undefined;
}

function ownFolders(path: string): string[] {
  return path
    .split(delimiter)
    .filter(
      (folder) =>
        folder !== "" && !folder.endsWith(`${sep}.bin`) && !folder.includes("node-gyp-bin") && !folder.includes(`${sep}_npx${sep}`),
    );
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

interface TypingHost {
  argv: readonly string[];
  execPath: string;
  execArgv: readonly string[];
  platform: NodeJS.Platform;
  env: Readonly<Record<string, string | undefined>>;
}

/**
 * How to type this same command in another terminal, in any folder: by name if it is installed, otherwise by the path of the
 * launcher next to it, otherwise through Node.
 */
export function copyableCommand(host: TypingHost): string {
  const script = resolve(host.argv[1] ?? "askbox");
  if (host.platform !== "win32" && installedCommand(script, host.env["PATH"] ?? "") !== undefined) return "askbox";
  const launcher = host.execArgv.length === 0 ? launcherOf(script, host.platform) : undefined;
  return launcher === undefined ? [host.execPath, ...host.execArgv, script].map(quote).join(" ") : quote(launcher);
}

/** A line that makes a short word mean a command line with an environment variable, in the platform's usual shell. */
export function shortWord(word: string, setting: { name: string; value: string }, line: string, platform: NodeJS.Platform): string {
  const { name, value } = setting;
  if (platform === "win32") return `function ${word} { $env:${name}='${value}'; & ${line} @args }`;
  return `alias ${word}=${quote(`${name}=${quote(value)} ${line}`)}`;
}

function quote(word: string): string {
  return /^[\w./:=@%+\\-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
