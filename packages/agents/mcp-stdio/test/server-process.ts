import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import { compileCache, program } from "../../../../tests/setup/programs.ts";

export interface ServerProcess {
  child: ChildProcess;
  /** Sends a request of the 2025 era and resolves with its response. */
  request(method: string, params?: object): Promise<{ result?: Record<string, unknown>; error?: unknown }>;
  notify(method: string, params?: object): void;
  /** Every line of stdout so far. */
  lines: string[];
  stderr(): string;
  /** Resolves with code and signal when the process and its pipes have ended. */
  ended: Promise<[code: number | null, signal: string | null]>;
}

/** Starts a fixture in this folder as a process with an empty home folder; it is killed after the test at the latest. */
export async function startServer(
  fixture: "main" | "noisy-main",
  flags: object = {},
  env: Record<string, string> = {},
): Promise<ServerProcess> {
  const home = await mkdtemp(join(tmpdir(), "askbox-home-"));
  const [node, script] = program(fixture === "main" ? "stdio-server" : "stdio-server-noisy");
  const child = spawn(node, [script, JSON.stringify(flags)], {
    cwd: home,
    env: { PATH: process.env["PATH"] ?? "", ASKBOX_HOME: home, ...compileCache(), ...env },
    stdio: "pipe",
  });
  const ended = once(child, "close") as ServerProcess["ended"];
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
    await rm(home, { recursive: true, force: true });
  });

  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  child.stdin.on("error", () => {});
  const lines: string[] = [];
  const waiting = new Map<number, (response: { result?: Record<string, unknown> }) => void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(line);
    const message: { id?: number; result?: Record<string, unknown> } = JSON.parse(line);
    if (message.id !== undefined) waiting.get(message.id)?.(message);
  });
  let last = 0;
  const write = (message: object) => void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  return {
    child,
    lines,
    ended,
    stderr: () => stderr,
    notify: (method, params) => write({ method, params }),
    request(method, params) {
      last += 1;
      const id = last;
      const { promise, resolve } = Promise.withResolvers<{ result?: Record<string, unknown> }>();
      waiting.set(id, resolve);
      write({ id, method, params });
      return promise;
    },
  };
}

/** The handshake of the 2025 era. */
export async function handshake(server: ServerProcess): Promise<void> {
  await server.request("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "opencode", version: "1" } });
  server.notify("notifications/initialized");
}
