import { AskboxError, type Asker, type AskerInfo, type ErrorCode, type Log, type Platform } from "@askbox/core";
import type { Heartbeat } from "@askbox/elicit/tool-call";
import type { CallToolResult, InputRequiredResult } from "@modelcontextprotocol/server";
import type { Tickets, Turns } from "../between-calls.ts";
import type { CallLimit, Fallback } from "../clients.ts";
import type { DialectName } from "../dialects/index.ts";
import type { NamedAsker } from "../events.ts";
import type { FileSource } from "../options.ts";
import type { FormChannel } from "./form-channel.ts";

export type { NamedAsker } from "../events.ts";

/** One running call of a tool. */
export interface Call {
  /** A UUID. */
  id: string;
  /** What was called: a tool's name, or the task's method. */
  name: string;
  /** The client accepts a task instead of a result that takes long. */
  takesTasks: boolean;
  client: AskerInfo["client"];
  /** Monotonic time in ms. */
  startedAt: number;
  /** Aborted when the client cancels the call or its stream ends. */
  signal: AbortSignal;
  limit: CallLimit;
  heartbeat: Heartbeat;
  /** The client's own form, if questions should be shown there too and the client supports it. */
  form?: FormChannel | undefined;
  /** `within`: the time limit in milliseconds. */
  asker(within: number | undefined): Promise<Asker>;
  identity(): Promise<Omit<AskerInfo, "client">>;
  server: CallServer;
}

/** What all calls of a server share. */
export interface CallServer {
  platform: Platform;
  defaultTimeout: number;
  /** The timeout configured for this server, overriding its tools' own. */
  timeout: number | undefined;
  onCancel: "keep" | "withdraw";
  /** How the agent may ask when askbox cannot be reached. */
  fallback: Fallback;
  /** The name of the tool to ask with. */
  askTool: DialectName;
  /** The tool in whose format `get_answer` returns its results. */
  answerTool: DialectName;
  /** Whether `get_answer` accepts an agent id. */
  namesAgents: boolean;
  /** Undefined where files can't be read. */
  files: FileSource | undefined;
  turns: Turns;
  tickets: Tickets;
  /** What the agent of a client is told with a ticket, once. */
  ticketHint(client: string): string | undefined;
  log: Log;
}

/** The return value of a call. */
export interface Reply<Result = CallToolResult | InputRequiredResult> {
  result: Result;
  /** Call this once the result is written; resolves when its outcomes are recorded as delivered. */
  written?: () => Promise<void>;
  /** Call this instead if the result will not be written: its outcomes are then available to the next call at once. */
  unwritten?: () => Promise<void>;
  /** For a failed result: the kind of error. */
  error?: ErrorCode;
}

/** Milliseconds until the call must return; undefined without a limit. */
export function timeLeft(call: Call): number | undefined {
  const { ticketAfter } = call.limit;
  if (ticketAfter === null) return undefined;
  return Math.max(0, ticketAfter - (call.server.platform.clock.monotonic() - call.startedAt));
}

/**
 * The asker of this call, whose questions wait for `timeout` ms. Throws `ABORTED` as soon as the call is cancelled, however long it takes
 * to find the hub.
 */
export async function namedAsker(call: Call, timeout?: number): Promise<NamedAsker> {
  const times = [timeLeft(call), timeout].filter((time) => time !== undefined);
  const within = times.length === 0 ? undefined : Math.min(...times);
  const cancelled = Promise.withResolvers<never>();
  const abort = () => cancelled.reject(new AskboxError("ABORTED", "The call was cancelled before a hub was found."));
  call.signal.addEventListener("abort", abort, { once: true });
  if (call.signal.aborted) abort();
  try {
    const [port, identity] = await Promise.race([Promise.all([call.asker(within), call.identity()]), cancelled.promise]);
    return { port, info: { client: call.client, ...identity } };
  } finally {
    call.signal.removeEventListener("abort", abort);
  }
}
