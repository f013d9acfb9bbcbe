import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { closeSync, existsSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import type { HomeFolders } from "../files/folders.ts";
import { ensurePrivateFolder, notWritable } from "../files/private-file.ts";

/**
 * Starts the hub, detached, with an environment of which only what every hub needs is kept. What it says before it is up is the reason if it
 * fails.
 */

/** How long one client may take to start a hub before another tries. */
const startingFor = 10_000;

export interface StartHubOptions {
  folders: HomeFolders;
  env: Readonly<Record<string, string | undefined>>;
  /** The command line. */
  command: readonly string[];
}

/**
 * Runs its arguments and exits with their result. It is the parent of the hub, and exits once the hub is running: an agent that kills its
 * process tree or process group then does not find the hub. Not possible on Windows, where a detached process must do.
 */
const launcher = ["/bin/sh", "-c", '"$@" & exec 2>/dev/null; wait $!', "askbox-hub-launcher"] as const;
/** What a shell adds to a signal's number in an exit code. */
const signalBase = 128;

/** A hub's process that is starting. */
export interface StartingHub {
  /** Why the process ended or could not start, as a sentence; undefined while it runs, or if it left because of another hub. */
  failure(): string | undefined;
  /** Whether the process exited because there already is a hub. */
  gaveWay(): boolean;
  /** Detaches the hub's process from its parent. */
  release(): void;
}

/**
 * Starts a hub in the background, or returns undefined if another client of this home is doing so. That saves ten clients nine useless
 * processes; `hub.lock` is what ensures a single hub. Throws `STORE_UNAVAILABLE` if the home's folders cannot be written.
 */
export function startHub({ folders, env, command }: StartHubOptions): StartingHub | undefined {
  ensurePrivateFolder(folders.data);
  const marker = join(folders.data, "hub.starting");
  if (!claim(marker)) return undefined;
  const isWindows = process.platform === "win32";
  const [program = process.execPath, ...args] = isWindows ? command : [...launcher, ...command];
  // A file and not a pipe: the hub outlives this process, and must never meet a closed stderr.
  const errors = join(folders.data, `.hub-start.${randomBytes(4).toString("hex")}`);
  const stderr = openSync(errors, "wx", 0o600);
  let ended: string | undefined;
  let yielded = false;
  const child = spawn(program, args, {
    cwd: folders.data,
    env: hubEnvironment(env),
    detached: true,
    windowsHide: true,
    stdio: ["ignore", "ignore", stderr],
  });
  closeSync(stderr);
  child.unref();
  child.once("error", (error) => {
    ended = `${program} cannot be run: ${error.message}`;
  });
  child.once("exit", (code, signal) => {
    if (code === 0) yielded = true;
    else if (!isWindows && code === 127) ended = `${command[0]} cannot be run: there is no such program`;
    else ended = lastLine(errors) ?? `its process ended with ${signal ?? (isWindows ? undefined : signalIn(code)) ?? `exit code ${code}`}`;
  });
  return {
    failure: () => ended,
    gaveWay: () => yielded,
    release() {
      if (!isWindows) child.kill("SIGKILL");
      rmSync(errors, { force: true });
      rmSync(marker, { force: true });
    },
  };
}

function signalIn(code: number | null): string | undefined {
  return Object.entries(constants.signals).find(([, number]) => code === signalBase + number)?.[0];
}

function claim(marker: string): boolean {
  try {
    if (existsSync(marker) && !isFresh(marker)) rmSync(marker, { force: true });
    writeFileSync(marker, String(process.pid), { flag: "wx", mode: 0o600 });
    return true;
  } catch (cause) {
    // Another client has just created it; any other error is permanent.
    if ((cause as { code?: string }).code === "EEXIST") return false;
    throw notWritable(dirname(marker), cause);
  }
}

function isFresh(marker: string): boolean {
  try {
    if (Math.abs(Date.now() - statSync(marker).mtimeMs) > startingFor) return false;
    const pid = Number(readFileSync(marker, "utf8"));
    // The file is empty between its creation and its writing.
    return pid === 0 || isAlive(pid);
  } catch {
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: string }).code === "EPERM";
  }
}

function lastLine(path: string): string | undefined {
  try {
    const lines = readFileSync(path, "utf8").trim().split("\n");
    return lines.at(-1)?.replace(/^askbox( hub)?: /, "") || undefined;
  } catch {
    return undefined;
  }
}

/** The variables that a hub's process inherits; names that end in `_` are prefixes. */
const allowed = [
  ...["HOME", "PATH", "LANG", "LC_", "LANGUAGE", "TZ", "TERM", "USER", "LOGNAME", "SHELL", "TMPDIR", "TMP", "TEMP"],
  ...[
    "XDG_",
    "ASKBOX_",
    "CN_MCP_",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "XAUTHORITY",
    "DBUS_SESSION_BUS_ADDRESS",
    "TMUX",
    "TMUX_TMPDIR",
    "WSL_DISTRO_NAME",
  ],
  // A browser on this machine does not help a remote person.
  ...["WSL_INTEROP", "SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"],
  // Where it finds agents' conversations, to wake them.
  ...["CLAUDE_CONFIG_DIR", "CODEX_HOME"],
  ...["USERPROFILE", "USERNAME", "APPDATA", "LOCALAPPDATA", "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT"],
];
/** A hub serves every agent on the machine, so it must not inherit the hub or token configured for one of them. */
const withheld = ["ASKBOX_TOKEN", "ASKBOX_HUB"];

/** The environment for a background hub, which outlives the agent whose environment this is. */
export function hubEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const isAllowed = (name: string) => allowed.some((entry) => (entry.endsWith("_") ? name.startsWith(entry) : name === entry));
  // keys: names of a process' variables, which are only passed on.
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    const upper = name.toUpperCase();
    if (value !== undefined && isAllowed(upper) && !withheld.includes(upper)) kept[name] = value;
  }
  return kept;
}
