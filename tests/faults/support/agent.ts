import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { AskResult } from "@askbox/core";
import { askResultSchema } from "@askbox/core/schemas";
import { askbox, type FaultHome } from "./home.ts";

interface Response {
  id?: number | string;
  result?: { isError?: boolean; content?: { text?: string }[]; structuredContent?: unknown };
  error?: { message: string };
}

/** A tool's result. */
interface ToolReply {
  /** The result's text if it is an error. */
  error?: string;
  result?: AskResult;
}

/** A tool call in progress. */
export interface ToolCall {
  readonly id: number;
  /** Never settles for a call without a response, such as a cancelled one. */
  readonly reply: Promise<ToolReply>;
  /** The result of a tool that answers in words. */
  readonly text: Promise<string>;
  /** The number of responses so far. */
  responses(): number;
}

/** A coding agent's end of `askbox mcp`, which runs as a separate process and is ended with its home. */
export interface Agent {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Resolves when the process has exited and its pipes are closed. */
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  ask(question: string, more?: Record<string, unknown>): ToolCall;
  call(tool: string, args: Record<string, unknown>): ToolCall;
  /** Sends `notifications/cancelled` for the call. */
  cancel(call: ToolCall): void;
  /** Disconnects, like a client that quits. */
  closeStdin(): void;
}

export interface AgentOptions {
  client?: string;
  flags?: readonly string[];
  env?: Record<string, string>;
}

/** Starts the server of an agent without a call timeout, and initialises it. */
export async function startAgent(home: FaultHome, { client = "opencode", flags = [], env = {} }: AgentOptions = {}): Promise<Agent> {
  const [program = "", ...args] = [...askbox, "mcp", ...flags];
  const child = spawn(program, args, { cwd: home.folder, env: { ...home.env, ...env }, stdio: ["pipe", "pipe", "ignore"] });
  child.stdin.on("error", () => {});
  const ended = once(child, "close").then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
  }));
  const waiting = new Map<number, { resolve(response: Response): void; count: number }>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line) as Response & { method?: string };
    if (message.method !== undefined && message.id !== undefined) return write({ id: message.id, result: { roots: [] } });
    const call = waiting.get(Number(message.id));
    if (call === undefined) return;
    call.count += 1;
    call.resolve(message);
  });
  const write = (message: object) => void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  let last = 0;
  const request = (method: string, params: object) => {
    last += 1;
    const id = last;
    const { promise, resolve } = Promise.withResolvers<Response>();
    const entry = { resolve, count: 0 };
    waiting.set(id, entry);
    write({ id, method, params });
    return { id, response: promise, responses: () => entry.count };
  };

  const initialized = request("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: client, version: "1" },
  });
  await Promise.race([initialized.response, ended]);
  write({ method: "notifications/initialized" });

  const call: Agent["call"] = (tool, toolArguments) => {
    // A client that requests progress and waits as long as it arrives has no limit.
    const progressToken = `progress-${last + 1}`;
    const { id, response, responses } = request("tools/call", { name: tool, arguments: toolArguments, _meta: { progressToken } });
    const text = response.then(({ result }) => result?.content?.[0]?.text ?? "");
    // Tools that answer in words have no structured result.
    const reply = response.then(readReply);
    reply.catch(() => {});
    return { id, responses, reply, text };
  };
  return {
    child,
    pid: child.pid ?? 0,
    ended,
    call,
    ask: (question, more = {}) => call("ask_user", { questions: [{ id: "q", question }], ...more }),
    cancel: ({ id }) => write({ method: "notifications/cancelled", params: { requestId: id, reason: "the person pressed Escape" } }),
    closeStdin: () => void child.stdin.end(),
  };
}

function readReply({ result, error }: Response): ToolReply {
  if (error !== undefined) return { error: error.message };
  if (result?.isError === true) return { error: result.content?.[0]?.text ?? "" };
  return { result: askResultSchema.parse(result?.structuredContent) };
}
