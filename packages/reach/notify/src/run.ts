import { type ChildProcess, spawn } from "node:child_process";
import { accessSync, constants, readdirSync, statSync } from "node:fs";
import { join, posix, win32 } from "node:path";
import type { Readable } from "node:stream";
import type { Clock } from "@askbox/core";

/** Processes: whether a program is there, how it reaches the person's desktop, and how it is run and ended with all that it has started. */

export type Environment = Readonly<Record<string, string | undefined>>;

/** A process to run. Without `shell`, the arguments never reach a shell. */
export interface RunRequest {
  /** A program, looked up in PATH; with `shell`, a whole command line. */
  program: string;
  args: readonly string[];
  env: Environment;
  shell?: boolean;
  /** Written to its stdin, which is empty otherwise. */
  input?: string;
  /** Milliseconds until it is stopped; unlimited by default. */
  timeLimit?: number;
  /** Keeps the first 64 KB of stdout and of stderr; both are discarded by default. */
  keepOutput?: boolean;
  /** It may outlive this process, which does not wait for it. */
  outlives?: boolean;
  /** Ends it and its children: SIGTERM, after a second SIGKILL (on Windows at once). */
  signal?: AbortSignal | undefined;
}

export type Ending =
  | { kind: "exited"; code: number }
  /** By a signal that was not sent from here. */
  | { kind: "killed"; signal: string }
  | { kind: "stopped" }
  | { kind: "overtime" }
  /** There was no process: the program is missing or not executable. */
  | { kind: "unstartable"; reason: string };

export interface RunResult {
  ending: Ending;
  stdout: string;
  stderr: string;
}

export interface Running {
  /** Whether the process started. Never rejects. */
  started: Promise<boolean>;
  /** Never rejects. */
  ended: Promise<RunResult>;
}

/** Runs a process; never throws. */
export type Runner = (request: RunRequest) => Running;

const maxOutput = 65_536;
/** Milliseconds from SIGTERM to SIGKILL. */
const grace = 1_000;

/** A `Runner` for real processes. Timeouts use the clock. */
export function processRunner(clock: Clock, platform: NodeJS.Platform): Runner {
  return (request) => {
    if (request.signal?.aborted) return neverStarted({ kind: "stopped" });
    const output = request.keepOutput === true ? "pipe" : "ignore";
    let child: ChildProcess;
    try {
      child = spawn(request.program, [...request.args], {
        env: { ...request.env },
        shell: request.shell ?? false,
        stdio: [request.input === undefined ? "ignore" : "pipe", output, output],
        // Its own process group, so that stopping it reaches its children.
        detached: platform !== "win32",
        windowsHide: true,
      });
    } catch (error) {
      return neverStarted({ kind: "unstartable", reason: String(error) });
    }
    if (request.outlives === true) child.unref();
    return follow(child, request, clock, platform);
  };
}

const neverStarted = (ending: Ending): Running => ({
  started: Promise.resolve(false),
  ended: Promise.resolve({ ending, stdout: "", stderr: "" }),
});

function follow(child: ChildProcess, request: RunRequest, clock: Clock, platform: NodeJS.Platform): Running {
  const stdout = gather(child.stdout);
  const stderr = gather(child.stderr);
  const started = Promise.withResolvers<boolean>();
  const ended = Promise.withResolvers<RunResult>();
  const cleanups: (() => void)[] = [];
  let reason: "stopped" | "overtime" | undefined;
  let over = false;

  const stop = (why: "stopped" | "overtime") => {
    if (over || reason !== undefined) return;
    reason = why;
    killTree(child, "SIGTERM", platform);
    cleanups.push(clock.setTimer(grace, () => killTree(child, "SIGKILL", platform)));
  };
  const finish = (ending: Ending) => {
    if (over) return;
    over = true;
    for (const clean of cleanups) clean();
    ended.resolve({ ending, stdout: stdout(), stderr: stderr() });
  };
  child.once("spawn", () => started.resolve(true));
  child.once("error", (error) => {
    if (child.pid !== undefined) return;
    started.resolve(false);
    finish({ kind: "unstartable", reason: error.message });
  });
  child.once("close", (code, signal) => {
    if (reason !== undefined) {
      // Its children may still be running.
      killGroup(child, "SIGKILL", platform);
      finish({ kind: reason });
    }
    if (code === null) finish({ kind: "killed", signal: signal ?? "an unknown signal" });
    else finish({ kind: "exited", code });
  });
  // A program that does not read its stdin closes the pipe, which is fine.
  child.stdin?.on("error", () => {});
  child.stdin?.end(request.input);
  const { timeLimit, signal } = request;
  if (timeLimit !== undefined) cleanups.push(clock.setTimer(timeLimit, () => stop("overtime")));
  const onAbort = () => stop("stopped");
  signal?.addEventListener("abort", onAbort);
  cleanups.push(() => signal?.removeEventListener("abort", onAbort));
  return { started: started.promise, ended: ended.promise };
}

function gather(stream: Readable | null): () => string {
  const chunks: Buffer[] = [];
  let size = 0;
  stream?.on("data", (chunk: Buffer) => {
    // Output beyond the limit is read and discarded, so that the writer never blocks.
    if (size < maxOutput) chunks.push(chunk.subarray(0, maxOutput - size));
    size += chunk.length;
  });
  return () => Buffer.concat(chunks).toString("utf8");
}

function killTree(child: ChildProcess, signal: NodeJS.Signals, platform: NodeJS.Platform): void {
  const { pid } = child;
  if (pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  if (platform === "win32") {
    spawn("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore", windowsHide: true }).once("error", () => child.kill());
    return;
  }
  killGroup(child, signal, platform);
}

function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals, platform: NodeJS.Platform): void {
  if (pid === undefined || platform === "win32") return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The whole group has ended.
  }
}

/** Whether a program can be run by this name, according to PATH (on Windows with PATHEXT). */
export function isThere(name: string, env: Environment, platform: NodeJS.Platform): boolean {
  const path = platform === "win32" ? win32 : posix;
  if (path.isAbsolute(name)) return isExecutable(name);
  const folders = (variable(env, "PATH", platform) ?? "").split(path.delimiter).filter((folder) => folder !== "");
  const endings = platform === "win32" ? ["", ...(variable(env, "PATHEXT", platform) ?? ".EXE;.CMD;.BAT;.COM").split(";")] : [""];
  return folders.some((folder) => endings.some((ending) => isExecutable(path.join(folder, name + ending))));
}

/** Windows ignores the case of variable names. */
function variable(env: Environment, name: string, platform: NodeJS.Platform): string | undefined {
  if (platform !== "win32") return env[name];
  return Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1];
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Whether this is WSL, where the person's desktop is Windows. */
export function isWsl(env: Environment, platform: NodeJS.Platform): boolean {
  return platform === "linux" && Boolean(env["WSL_DISTRO_NAME"] || env["WSL_INTEROP"]);
}

/** Whether this process was started from another machine. */
export function isRemote(env: Environment): boolean {
  return Boolean(env["SSH_CONNECTION"] || env["SSH_CLIENT"] || env["SSH_TTY"]);
}

/**
 * The environment with the variables of the person's Linux desktop filled in if missing: MCP clients drop them from their servers, and so
 * from a hub that such a server starts. Their values are defined by systemd (`/run/user/UID`) and the D-Bus specification (`bus` in it).
 */
export function withDesktop(
  env: Environment,
  platform: NodeJS.Platform,
  standard = `/run/user/${process.getuid?.() ?? ""}`,
): Record<string, string | undefined> {
  const runtime = env["XDG_RUNTIME_DIR"] || standard;
  if (platform !== "linux" || !isOurFolder(runtime)) return { ...env };
  const filled: Record<string, string | undefined> = { ...env, XDG_RUNTIME_DIR: runtime };
  const entries = readdirSync(runtime);
  if (!env["DBUS_SESSION_BUS_ADDRESS"] && entries.includes("bus")) filled["DBUS_SESSION_BUS_ADDRESS"] = `unix:path=${join(runtime, "bus")}`;
  const wayland = entries.filter((entry) => /^wayland-\d+$/.test(entry)).sort()[0];
  if (!env["WAYLAND_DISPLAY"] && !env["DISPLAY"] && wayland !== undefined) filled["WAYLAND_DISPLAY"] = wayland;
  return filled;
}

function isOurFolder(folder: string): boolean {
  const found = statSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === process.getuid?.();
}
