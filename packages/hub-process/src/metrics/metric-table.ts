/**
 * Every metric of a hub. The table in docs/operations.md is made from this, and tests compare it with what a hub prints, and with the
 * dashboard and the alert rules in deploy/monitoring.
 *
 * `of`, of a gauge: `hub` is this hub's own, for a sum over hubs; `inbox` is the whole inbox's and the same at every hub, for a maximum.
 * Counters and histograms are always a hub's own: what several hubs see is counted by one.
 */
export const metricTable = {
  mcp_tool_calls_total: {
    type: "counter",
    labels: ["tool", "status"],
    help: "Tool calls that have ended, by tool and status; of those on stdio, the ones whose server was connected.",
  },
  mcp_errors_total: {
    type: "counter",
    labels: ["type"],
    help: "Failed tool calls, and requests over REST or MCP that were refused, by type.",
  },
  mcp_question_latency_ms: {
    type: "histogram",
    labels: ["outcome"],
    help: "Milliseconds from asking to the outcome, of all askers, by outcome. The hub that stored an outcome counts it, once it is final.",
  },
  askbox_pending_sessions: { type: "gauge", of: "inbox", labels: [], help: "Sessions that are pending." },
  askbox_oldest_pending_ms: {
    type: "gauge",
    of: "inbox",
    labels: [],
    help: "Milliseconds since the oldest pending session was asked; 0 without one.",
  },
  askbox_waiting_calls: { type: "gauge", of: "hub", labels: [], help: "Calls that wait for an outcome." },
  askbox_surfaces: { type: "gauge", of: "hub", labels: ["surface"], help: "Surfaces that are connected, by kind." },
  askbox_ready: { type: "gauge", of: "hub", labels: [], help: "Whether the hub can serve requests, as /readyz says: 1 or 0." },
  askbox_store_operation_ms: {
    type: "histogram",
    labels: ["operation"],
    help: "Milliseconds that an operation of the store took, failed ones included.",
  },
  askbox_redis_connected: {
    type: "gauge",
    of: "hub",
    labels: ["part", "connection"],
    help: "Whether a connection to Redis is up: 1 or 0. None without Redis.",
  },
  askbox_redis_reconnects_total: {
    type: "counter",
    labels: ["part", "connection"],
    help: "Connections to Redis that were lost and are back.",
  },
  askbox_redis_round_trip_ms: {
    type: "histogram",
    labels: ["part", "connection"],
    help: "Milliseconds from a command to Redis' reply, failed ones included. What waits for changes is not counted.",
  },
  askbox_deliveries_total: {
    type: "counter",
    labels: ["channel", "result"],
    help: "Webhooks, pushes, notifications and chat messages: delivered, dropped, or unknown if one may have arrived. A push to several browsers counts once.",
  },
  askbox_delivery_retries_total: { type: "counter", labels: ["channel"], help: "Failed attempts to deliver that are tried again." },
  askbox_deliveries_waiting: {
    type: "gauge",
    of: "hub",
    labels: ["channel"],
    help: "Webhooks and pushes that are being sent or wait for another attempt.",
  },
  askbox_chat_connected: {
    type: "gauge",
    of: "hub",
    labels: ["chat"],
    help: "Whether this hub reads a chat's bot, and nothing is wrong: 1 or 0. Of several hubs, one reads it.",
  },
  askbox_files_bytes: {
    type: "gauge",
    of: "inbox",
    labels: [],
    help: "Bytes of all stored files, as of the last minute. None while the store is away.",
  },
  askbox_files_max_bytes: { type: "gauge", of: "inbox", labels: [], help: "The limit of that, from the settings." },
  process_cpu_user_seconds_total: { type: "counter", labels: [], help: "Seconds of user CPU time." },
  process_cpu_system_seconds_total: { type: "counter", labels: [], help: "Seconds of system CPU time." },
  process_cpu_seconds_total: { type: "counter", labels: [], help: "Seconds of user and system CPU time." },
  process_start_time_seconds: { type: "gauge", of: "hub", labels: [], help: "When the process started, in seconds since the epoch." },
  process_resident_memory_bytes: { type: "gauge", of: "hub", labels: [], help: "Resident memory, in bytes." },
  process_open_fds: { type: "gauge", of: "hub", labels: [], help: "Open file descriptors. Linux only." },
  process_max_fds: {
    type: "gauge",
    of: "hub",
    labels: [],
    help: "The most file descriptors that may be open. Linux only; none if unlimited.",
  },
  nodejs_heap_size_total_bytes: { type: "gauge", of: "hub", labels: [], help: "The size of Node's heap, in bytes." },
  nodejs_heap_size_used_bytes: { type: "gauge", of: "hub", labels: [], help: "The used part of Node's heap, in bytes." },
  nodejs_eventloop_lag_mean_seconds: {
    type: "gauge",
    of: "hub",
    labels: [],
    help: "The mean delay of the event loop since the last scrape, in seconds. None at the first.",
  },
  nodejs_eventloop_lag_p99_seconds: {
    type: "gauge",
    of: "hub",
    labels: [],
    help: "The 99th percentile of the event loop's delay since the last scrape, in seconds.",
  },
  nodejs_eventloop_lag_max_seconds: {
    type: "gauge",
    of: "hub",
    labels: [],
    help: "The longest delay of the event loop since the last scrape, in seconds.",
  },
} as const satisfies Record<string, MetricAbout>;

/** What a metric is. */
export type MetricAbout = { labels: readonly string[]; help: string } & (
  | { type: "counter" | "histogram" }
  | { type: "gauge"; of: "hub" | "inbox" }
);

export type MetricName = keyof typeof metricTable;

/** The sentence that says for which sum or maximum a metric is. */
export function scopeOf(about: MetricAbout): string {
  if (about.type !== "gauge") return "";
  return about.of === "hub" ? "Own: of this hub." : "Total: of the inbox, the same at every hub.";
}

/** A metric's name and help text, as it is printed. */
export function aboutOf(name: MetricName): { name: string; help: string } {
  const about: MetricAbout = metricTable[name];
  return { name, help: `${about.help} ${scopeOf(about)}`.trim() };
}
