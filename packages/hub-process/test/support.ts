import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ConnectHubOptions, connectHub, type HomeFolders, homeFolders, readHubFile } from "@askbox/home";
import type { WireClient } from "@askbox/wire";
import { onTestFinished } from "vitest";
import { compileCache, program } from "../../../tests/setup/programs.ts";
import { lastLines, onFailureShow, untilHolds as until } from "../../../tests/support/until.ts";
import type { HubFlags } from "../src/index.ts";
import { type HubHere, serveHere as startHere } from "./fixtures/serve-here.ts";

/** The command that runs a hub in these tests. */
export const hubCommand = (how: "foreground" | "background", flags: HubFlags = {}, web = ""): string[] => [
  ...program("hub"),
  how,
  JSON.stringify(flags),
  web,
];

export const agent = { name: "test", version: "9.9.9" };

export interface TestHome {
  folder: string;
  folders: HomeFolders;
  env: Record<string, string | undefined>;
  /** The JSON log's entries. */
  log(): Record<string, unknown>[];
}

/** A home that is deleted after the test, along with any hub still running there. */
export function temporaryHome(): TestHome {
  const folder = mkdtempSync(join(tmpdir(), "askbox-hub-"));
  const env = { ...process.env, ...compileCache(), ASKBOX_HOME: folder };
  const folders = homeFolders({ env });
  const logText = () => {
    const path = join(folders.logs, "askbox.log");
    return existsSync(path) ? readFileSync(path, "utf8") : "";
  };
  const hide = onFailureShow(() => `The log of ${folder}:\n${lastLines(logText())}`);
  onTestFinished(async () => {
    hide();
    const pid = readHubFile(folders)?.pid;
    if (pid !== undefined && belongsTo(folder, pid)) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It has exited.
      }
      await until(() => !isAlive(pid));
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  return {
    folder,
    folders,
    env,
    log: () =>
      logText()
        .split("\n")
        // The last line may not be whole yet.
        .filter((line) => line.endsWith("}"))
        .map((line) => JSON.parse(line)),
  };
}

export interface HubProcess {
  child: ChildProcess;
  /** Its output so far. */
  output(): { stdout: string; stderr: string };
  /** Resolves when it has exited. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** A hub's process, which is killed after the test. */
export function startProcess(home: TestHome, how: "foreground" | "background", flags: HubFlags = {}, web = ""): HubProcess {
  const [program = "", ...args] = hubCommand(how, flags, web);
  const child = spawn(program, args, { env: home.env, stdio: ["ignore", "pipe", "pipe"] });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once("close", (code, signal) => resolve({ code, signal }));
  });
  const hide = onFailureShow(() => `The hub ${child.pid} printed:\n${lastLines(stdout + stderr)}`);
  onTestFinished(async () => {
    hide();
    child.kill("SIGKILL");
    await ended;
  });
  return { child, ended, output: () => ({ stdout, stderr }) };
}

/** Starts a hub in the foreground and waits until it serves. */
export async function startReady(home: TestHome, flags: HubFlags = {}, web = ""): Promise<HubProcess> {
  const hub = startProcess(home, "foreground", { store: "memory", ...flags }, web);
  await until(() => {
    if (hub.child.exitCode !== null) throw new Error(`The hub ended: ${hub.output().stderr}`);
    return readHubFile(home.folders)?.pid === hub.child.pid;
  });
  return hub;
}

/** A hub in this process, which is closed after the test. */
export async function serveHere(home: TestHome, flags: HubFlags = {}, web?: string): Promise<HubHere> {
  const hub = await startHere(home, { flags: { store: "memory", ...flags }, web });
  onTestFinished(() => hub.close("The test has ended."));
  return hub;
}

/** A connection to the home's hub that is closed after the test. */
export async function connect(home: TestHome, options: Partial<ConnectHubOptions> = {}): Promise<WireClient> {
  const { role = "asker" } = options;
  const client = await connectHub({ role, agent, env: home.env, ...(role === "desk" && { surface: "cli" }), ...options });
  onTestFinished(() => client.close());
  return client;
}

/** An unrelated server; resolves with its port. */
export async function occupyPort(
  answer: RequestListener = (_request, response) => response.end("not a hub"),
  port = 0,
): Promise<{ server: Server; port: number }> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { server, port: (server.address() as AddressInfo).port };
}

export { until };

/**
 * Whether a process was started for a test's home, by its environment: a test may write any pid to `hub.json`, and the pid of a hub that
 * exited may belong to another program by now. Windows doesn't show the environment; there, every process but this one and its parent passes.
 */
function belongsTo(folder: string, pid: number): boolean {
  if (pid === process.pid || pid === process.ppid) return false;
  if (process.platform === "win32") return true;
  const home = `ASKBOX_HOME=${folder}`;
  try {
    if (process.platform === "linux") return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(home);
    return execFileSync("ps", ["eww", "-o", "command=", "-p", String(pid)], { encoding: "utf8" })
      .split(/\s/)
      .includes(home);
  } catch {
    return false; // It has exited, or belongs to another user.
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
