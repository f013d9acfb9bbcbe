import type { Agents, AnswerSet, Desk, SessionView } from "@askbox/core";
import type { DialectName } from "@askbox/mcp";

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

/** What an agent's MCP client can do, whatever SDK it is built on. */
export interface AgentClient {
  listTools(): Promise<ListedTool[]>;
  instructions(): string | undefined;
  serverName(): string | undefined;
  /** `args` goes over the wire as it is, `null` included; undefined leaves it out. */
  callTool(name: string, args: unknown, options?: CallOptions): Promise<ToolResult>;
  /** Ends the connection as a client does that is closed. */
  close(): Promise<void>;
}

/** A JSON-RPC response. */
export interface RawAnswer {
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: unknown };
}

/** An agent of revision 2026-07-28 whose messages no SDK has a say in. */
export interface RawAgent {
  /** `takesTasks`: it declares the Tasks extension with this request; default true. */
  request(method: string, params: Record<string, unknown>, options?: { takesTasks?: boolean }): Promise<RawAnswer>;
  close(): Promise<void>;
}

export interface ServerSettings {
  /** `clientInfo.name`; default one that no table knows. */
  clientName?: string;
  tools?: readonly DialectName[];
  /** The server's name. */
  name?: string;
  /** Milliseconds, for asks that name no timeout. */
  timeout?: number;
  /** Seconds. */
  maxWait?: number;
  onCancel?: "keep" | "withdraw";
}

/** One agent connected to an askbox server, and the person's side of the same inbox. */
export interface Connection {
  agent: AgentClient;
  desk: Desk;
  /** Which agents are known by id. */
  agents: Agents;
  /** The next session that nobody has been told of yet, as soon as it is there. */
  nextSession(): Promise<SessionView>;
  /** Another agent of the same settings, project and inbox. */
  another(settings?: ServerSettings): Promise<AgentClient>;
  /** Another agent of the same inbox, without an SDK. */
  raw(settings?: ServerSettings): Promise<RawAgent>;
}

/** A transport with a client on it. */
export interface Harness {
  name: string;
  connect(settings?: ServerSettings): Promise<Connection>;
  /** Lets this much time pass, in ms: at once with a fake clock; with a real one it passes by itself while a result is awaited. */
  letPass(milliseconds: number): Promise<void>;
  /** Whether time is a fake clock's. */
  fakeTime: boolean;
  /** Ends everything that `connect` began. */
  close(): Promise<void>;
}

/** One sentence about askbox's tools that holds over every transport and with every client. */
export interface Requirement {
  id: string;
  sentence: string;
  /** True where it can only be shown with a fake clock. */
  needsFakeTime?: boolean;
  /** True where it needs no client's SDK, so that once for each transport is enough. */
  isRaw?: boolean;
  run(harness: Harness): Promise<void>;
}

/** The requirements that can be shown over a transport with one of several clients; those without a client's SDK with the first alone. */
export function applicable(requirements: readonly Requirement[], ways: { fakeTime: boolean; isFirst: boolean }): readonly Requirement[] {
  return requirements.filter(({ needsFakeTime = false, isRaw = false }) => (!needsFakeTime || ways.fakeTime) && (!isRaw || ways.isFirst));
}

/** Answers the next session with what the function makes of it. */
export async function answerNext(connection: Connection, answer: (session: SessionView) => AnswerSet): Promise<SessionView> {
  const session = await connection.nextSession();
  return connection.desk.answer(session.id, answer(session));
}

/** The contract's four fields, alone. */
export function fourFields(result: ToolResult): Record<string, unknown> {
  const { answered, cancelled, timedOut, answers } = result.structuredContent ?? {};
  return { answered, cancelled, timedOut, answers };
}

/** Waits, with a deadline, for something that no event tells of. */
export async function eventually<Value>(look: () => Promise<Value | undefined>, what: string): Promise<Value> {
  const deadline = performance.now() + 60_000;
  for (;;) {
    const value = await look();
    if (value !== undefined) return value;
    if (performance.now() > deadline) throw new Error(`It never came true that ${what}.`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
