import type { Clock } from "@askbox/core";
import { callOf, heartbeatOf, readCaller } from "@askbox/elicit/tool-call";
import type { McpServerFactory } from "@modelcontextprotocol/server";
import { AskMcpServer, type RunTool } from "../ask-mcp-server.ts";
import { alwaysLoad, askAnnotations, type ToolDefinition } from "../dialects/dialect.ts";

/** The name of the tool, which only waits. */
export const probeTool = "askbox_probe";

/** The state of a probe's call. `waiting` is the last report if the client killed the server. */
export type ProbeEnd = "waiting" | "cut" | "returned";

/** What is known about one probe. Reported repeatedly while it waits. */
export interface ProbeReport {
  /** Unique among all probes. */
  id: string;
  client: { name: string; version?: string };
  /** Whether progress was sent in the meantime. */
  progress: boolean;
  /** Wall time. */
  startedAt: number;
  /** Milliseconds from the call's start to its end, or until now. */
  waited: number;
  end: ProbeEnd;
}

/** Options of the server that probes a client. */
export interface ProbeServerOptions {
  clock: Clock;
  /** Creates an id. */
  id(): string;
  version: string;
  record(report: ProbeReport): void;
}

/** Seconds. */
const range = { min: 1, max: 7_200, default: 1_800 };
/** Milliseconds between two reports of a waiting call. */
const interval = 5_000;

const definition: ToolDefinition = {
  name: probeTool,
  title: "Measure how long this client waits",
  description:
    "Blocks, so that a person can see how long this client waits for a tool. Call it only when asked to, once, and do nothing else in the meantime.",
  inputSchema: {
    type: "object",
    properties: {
      seconds: {
        type: "integer",
        description: "How long to wait before returning",
        minimum: range.min,
        maximum: range.max,
        default: range.default,
      },
      progress: { type: "boolean", description: "Whether to send progress meanwhile", default: true },
    },
  },
  annotations: askAnnotations,
  _meta: alwaysLoad,
};

/** A server whose only tool blocks and records when its call is cut, to measure how long the calling client waits. */
export function createProbeServer({ clock, id, version, record }: ProbeServerOptions): McpServerFactory {
  const probe: RunTool = async (server, args, ctx) => {
    const { seconds, progress } = Object(args) as { seconds?: unknown; progress?: unknown };
    const length = (typeof seconds === "number" && seconds >= range.min && seconds <= range.max ? seconds : range.default) * 1_000;
    const call = callOf(ctx);
    const sendsProgress = call.progressToken !== undefined && progress !== false;
    const began = clock.monotonic();
    const base = { id: id(), client: readCaller(server.server, call).client, progress: sendsProgress, startedAt: clock.now() };
    const report = (end: ProbeEnd) => record({ ...base, waited: Math.round(clock.monotonic() - began), end });
    const heartbeat = sendsProgress ? heartbeatOf(call, clock, "Measuring how long this client waits.") : undefined;
    const end = await wait(clock, length, call.signal, () => report("waiting"));
    heartbeat?.stop();
    report(end);
    const waited = Math.round((clock.monotonic() - began) / 1_000);
    return {
      content: [
        { type: "text" as const, text: `This call was held for ${waited} s. \`askbox doctor --client NAME\` shows what was measured.` },
      ],
    };
  };
  return () => {
    const server = new AskMcpServer({ name: "askbox-probe", version }, {});
    server.serveTools(new Map([[definition, probe]]));
    return server;
  };
}

/** Waits until the end or until the call is cut, and reports regularly. */
async function wait(clock: Clock, length: number, signal: AbortSignal, still: () => void): Promise<"cut" | "returned"> {
  const { promise, resolve } = Promise.withResolvers<"cut" | "returned">();
  const onAbort = () => resolve("cut");
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  const cancelEnd = clock.setTimer(length, () => resolve("returned"));
  let cancelTick = () => {};
  const tick = () => {
    still();
    cancelTick = clock.setTimer(interval, tick);
  };
  tick();
  try {
    return await promise;
  } finally {
    cancelEnd();
    cancelTick();
    signal.removeEventListener("abort", onAbort);
  }
}
