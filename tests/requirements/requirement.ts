import type { Agents, AnswerSet, Desk, SessionView } from "@askbox/core";
import type { DialectName } from "@askbox/mcp";
import { until } from "../support/until.ts";

/** A tool as a client sees it in `tools/list`. */
export interface ListedTool {
  name: string;
  description?: string | undefined;
  inputSchema: Record<string, unknown>;
  outputSchema?: Record<string, unknown> | undefined;
  annotations?: Record<string, unknown> | undefined;
  _meta?: Record<string, unknown> | undefined;
}

/** A tool's result as a client receives it. */
export interface ToolResult {
  isError: boolean;
  /** The text of `content[0]`. */
  text: string;
  /** The texts of all of `content`. */
  texts: string[];
  structuredContent: Record<string, unknown> | undefined;
}

export interface Progress {
  progress: number;
  message?: string | undefined;
}

export interface CallOptions {
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
}

/** The abilities of an agent's MCP client, whatever its SDK. */
export interface AgentClient {
  listTools(): Promise<ListedTool[]>;
  instructions(): string | undefined;
  serverName(): string | undefined;
  /** `args` is sent as it is, including `null`; undefined omits it. */
  callTool(name: string, args: unknown, options?: CallOptions): Promise<ToolResult>;
  /** Ends the connection like a client that is closed. */
  close(): Promise<void>;
}

/** A JSON-RPC response. */
export interface RawAnswer {
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: unknown };
}

/** A JSON-RPC notification. */
export interface RawNotification {
  method: string;
  params: Record<string, unknown>;
}

/** An agent of revision 2026-07-28 whose messages are not created by an SDK. */
export interface RawAgent {
  /** `takesTasks`: it declares the Tasks extension with this request; default true. `heard` gets the notifications that come before the response. */
  request(
    method: string,
    params: Record<string, unknown>,
    options?: { takesTasks?: boolean; heard?: RawNotification[] },
  ): Promise<RawAnswer>;
  close(): Promise<void>;
}

export interface ServerSettings {
  /** `clientInfo.name`; default: an unknown one. */
  clientName?: string;
  tools?: readonly DialectName[];
  /** The server's name. */
  name?: string;
  /** Milliseconds, for asks without a timeout. */
  timeout?: number;
  /** Seconds. */
  maxWait?: number;
  onCancel?: "keep" | "withdraw";
}

/** An agent connected to an askbox server, and the person's side of the same inbox. */
export interface Connection {
  agent: AgentClient;
  desk: Desk;
  /** The registered agents. */
  agents: Agents;
  /** The next session that was not returned yet, as soon as it exists. */
  nextSession(): Promise<SessionView>;
  /** Another agent with the same settings, project and inbox. */
  another(settings?: ServerSettings): Promise<AgentClient>;
  /** Another agent of the same inbox, without an SDK. */
  raw(settings?: ServerSettings): Promise<RawAgent>;
}

/** A transport with a client. */
export interface Harness {
  name: string;
  connect(settings?: ServerSettings): Promise<Connection>;
  /** Advances time by this many ms: at once if the clock can be moved; in real time it passes while a result is awaited. */
  letPass(milliseconds: number): Promise<void>;
  /** Whether the clock is fake. */
  fakeTime: boolean;
  /** Ends everything that `connect` started. */
  close(): Promise<void>;
}

/** A statement about askbox's tools that is true for every transport and client. */
export interface Requirement {
  id: string;
  sentence: string;
  /** True if it can only be verified with a fake clock. */
  needsFakeTime?: boolean;
  /** True if it needs no client SDK, so that once per transport is enough. */
  isRaw?: boolean;
  run(harness: Harness): Promise<void>;
}

type Runs = Record<string, Requirement["run"]>;
const withTraits =
  (traits: Pick<Requirement, "isRaw" | "needsFakeTime">) =>
  (runs: Runs): Requirement[] =>
    Object.entries(runs).map(([name, run]) => {
      const [id = "", sentence = ""] = name.split(/: (.*)/s, 2);
      return { id, sentence, ...traits, run };
    });

/** Requirements by name, which is `id: sentence`. */
export const define = Object.assign(withTraits({}), {
  raw: withTraits({ isRaw: true }),
  inFakeTime: withTraits({ needsFakeTime: true }),
  rawInFakeTime: withTraits({ isRaw: true, needsFakeTime: true }),
});

/** The requirements that can be verified over a transport with one of several clients; those without a client SDK only with the first. */
export function applicable(requirements: readonly Requirement[], ways: { fakeTime: boolean; isFirst: boolean }): readonly Requirement[] {
  return requirements.filter(({ needsFakeTime = false, isRaw = false }) => (!needsFakeTime || ways.fakeTime) && (!isRaw || ways.isFirst));
}

/** Answers the next session with the function's result. */
export async function answerNext(connection: Connection, answer: (session: SessionView) => AnswerSet): Promise<SessionView> {
  const session = await connection.nextSession();
  return connection.desk.answer(session.id, answer(session));
}

/** Only the contract's four fields. */
export function fourFields(result: ToolResult): Record<string, unknown> {
  const { answered, cancelled, timedOut, answers } = result.structuredContent ?? {};
  return { answered, cancelled, timedOut, answers };
}

/** Polls, with a deadline, for a condition without an event. */
export const eventually = <Value>(look: () => Promise<Value | undefined>, what: string): Promise<Value> => until(what, look);
