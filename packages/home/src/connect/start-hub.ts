import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { closeSync, existsSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { HomeFolders } from "../files/folders.ts";
import { ensurePrivateFolder, notWritable } from "../files/private-file.ts";
import { hubEnvironment } from "./hub-environment.ts";

/** How long one client may be at starting a hub before another tries. */
const startingFor = 10_000;

export interface StartHubOptions {
  folders: HomeFolders;
  env: Readonly<Record<string, string | undefined>>;
  /** The program and its arguments. */
  command: readonly string[];
}

/** A hub's process that is on its way up. */
export interface StartingHub {
  /** Why the process ended or never was, as a sentence; nothing while it lives, and when it left the field to another hub. */
  failure(): string | undefined;
  /** Whether the process ended because there is another hub already. */
  gaveWay(): boolean;
  /** Forgets the process, which goes on. */
  release(): void;
}

/**
 * Starts a hub in the background, unless another client of this home is doing so at this moment: then nothing is returned. That spares
 * ten clients nine useless processes; what makes the hub the only one is `hub.lock`.
 * Throws `STORE_UNAVAILABLE` when the home's folders cannot be written.
 */
export function startHub({ folders, env, command }: StartHubOptions): StartingHub | undefined {
  ensurePrivateFolder(folders.data);
  const marker = join(folders.data, "hub.starting");
  if (!claim(marker)) return undefined;
  const [program = process.execPath, ...args] = command;
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
    else ended = lastLine(errors) ?? `its process ended with ${signal ?? `exit code ${code}`}`;
  });
  return {
    failure: () => ended,
    gaveWay: () => yielded,
    release() {
      rmSync(errors, { force: true });
      rmSync(marker, { force: true });
    },
  };
}

function claim(marker: string): boolean {
  try {
    if (existsSync(marker) && !isFresh(marker)) rmSync(marker, { force: true });
    writeFileSync(marker, String(process.pid), { flag: "wx", mode: 0o600 });
    return true;
  } catch (cause) {
    // Another client's, which has come in between at the latest; anything else is the folder's fault and will not pass by itself.
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
