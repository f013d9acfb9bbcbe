import { type Answerer, type BrokerStats, type Clock, type DeskEvent, errorCodes, type SessionStore, type SessionView } from "@askbox/core";
import type { ToolCallEnd } from "@askbox/wire";
import { Counter, type Family, Gauge, Histogram } from "./families.ts";
import { timedStore } from "./timed-store.ts";

/** Bounds in ms, from an immediate answer to the longest timeout of a question. */
const latencyBounds = [1_000, 5_000, 10_000, 30_000, 60_000, 120_000, 300_000, 600_000, 900_000, 1_800_000];
const storeBounds = [1, 2, 5, 10, 25, 50, 100, 250, 1_000];

/**
 * The label for a call whose tool is not a plain name, or whose error is not askbox's own: stdio servers report both, and can send
 * anything.
 */
const other = "other";
const toolOf = (tool: string): string => (/^\w{1,40}$/.test(tool) ? tool : other);
const typeOf = (error: string): string => (Object.hasOwn(errorCodes, error.toUpperCase()) ? error.toLowerCase() : other);

/** What the hub counts and measures. */
export interface HubMetrics {
  /** The store, with the time taken of each of its operations. */
  timed(store: SessionStore): SessionStore;
  /** The store, timing each of its operations. */
  onEvent(event: DeskEvent): void;
  /** Counts calls over HTTP, and those that stdio MCP servers report. */
  callEnded(end: ToolCallEnd): void;
  /** A request over HTTP was refused. */
  refused(type: string): void;
  /** All metrics in Prometheus' text format. */
  text(): string;
}

export interface HubMetricsOptions {
  clock: Clock;
  now(): { stats: BrokerStats; surfaces: readonly Answerer[] };
}

export function hubMetrics({ clock, now }: HubMetricsOptions): HubMetrics {
  const calls = new Counter({
    name: "mcp_tool_calls_total",
    help: "Tool calls that have ended, by tool and status; of those on stdio, the ones whose server was connected.",
  });
  const errors = new Counter({ name: "mcp_errors_total", help: "Failed tool calls, and refused requests over HTTP, by type." });
  const latency = new Histogram(
    { name: "mcp_question_latency_ms", help: "Milliseconds from asking to the outcome, of all askers, by outcome." },
    latencyBounds,
  );
  const store = new Histogram(
    { name: "askbox_store_operation_ms", help: "Milliseconds that an operation of the store took." },
    storeBounds,
  );
  const pending = new Gauge({ name: "askbox_pending_sessions", help: "Sessions that are pending." }, () => [[{}, now().stats.pending]]);
  const waiting = new Gauge({ name: "askbox_waiting_calls", help: "Calls that wait for an outcome." }, () => [[{}, now().stats.waiting]]);
  const surfaces = new Gauge({ name: "askbox_surfaces", help: "Surfaces that are connected, by kind." }, () =>
    [...Map.groupBy(now().surfaces, ({ surface }) => surface)].map(([surface, of]) => [{ surface }, of.length] as const),
  );
  const families: readonly Family[] = [calls, errors, latency, store, pending, waiting, surfaces];
  const open = new Set<string>();

  const see = ({ id, status, createdAt, closedAt }: SessionView) => {
    if (status === "pending") return void open.add(id);
    // A settled session still changes: it is delivered, or replied to.
    if (open.delete(id) && closedAt !== null) latency.observe({ outcome: status }, closedAt - createdAt);
  };

  return {
    timed: (inner) => timedStore(inner, clock, (operation, milliseconds) => store.observe({ operation }, milliseconds)),
    onEvent(event) {
      if (event.type === "snapshot") for (const session of event.sessions) see(session);
      else if (event.type === "session") see(event.session);
      else if (event.type === "removed") open.delete(event.sessionId);
    },
    callEnded({ tool, status, error }) {
      calls.add({ tool: toolOf(tool), status });
      if (error !== undefined) errors.add({ type: typeOf(error) });
    },
    refused: (type) => errors.add({ type: typeOf(type) }),
    text: () => families.map((family) => family.text()).join(""),
  };
}
