import { testPlatform } from "@askbox/core/testing";
import { expect, test } from "vitest";
import { hubMetrics, type MetricsNow } from "../src/metrics/hub-metrics.ts";
import { type MetricAbout, metricTable } from "../src/metrics/metric-table.ts";

const quiet: MetricsNow = {
  stats: { pending: 0, waiting: 0, watching: 0 },
  surfaces: [],
  isReady: true,
  waiting: [],
  chats: [],
  files: { stored: 0, max: 1 },
};

function metricsWith(now: Partial<MetricsNow> = {}) {
  const { clock } = testPlatform();
  return hubMetrics({ clock, now: () => ({ ...quiet, ...now }) });
}

/** Everything that a metric may have labels for. */
async function used(): Promise<string> {
  const metrics = metricsWith({
    surfaces: [{ surface: "web" }],
    waiting: [{ channel: "webhook", count: 2 }],
    chats: [{ chat: "telegram", isConnected: false }],
  });
  metrics.callEnded({ tool: "ask_user", status: "error", error: "VALIDATION" });
  metrics.settled({ state: "timedOut", createdAt: 1_000, closedAt: 3_000 });
  await metrics.timed({ get: async () => undefined } as never).get("one");
  const redis = metrics.redis("sessions");
  for (const isUp of [true, false, false, true]) redis.connection("writing", isUp);
  redis.roundTrip("writing", 3);
  for (const result of ["delivered", "dropped", "retried", "retried"] as const) metrics.delivered("webhook", result);
  return metrics.text();
}

test("a hub prints exactly the metrics of the table, of their types and with their labels", async () => {
  const text = await used();
  const types = Object.fromEntries([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name, type]));
  const table: Readonly<Record<string, MetricAbout>> = metricTable;
  expect(types).toEqual(Object.fromEntries(Object.entries(table).map(([name, { type }]) => [name, type])));
  for (const [, name = "", labels = ""] of text.matchAll(/^([a-z_0-9]+?)(?:\{(.*)\})? \S+$/gm)) {
    const family = name in table ? name : name.replace(/_(bucket|sum|count)$/, "");
    const own = [...labels.matchAll(/(\w+)="/g)].map(([, label]) => label).filter((label) => label !== "le");
    expect([name, own]).toEqual([name, table[family]?.labels]);
  }
});

test("each has a value, and says whether it is a total or the hub's own", async () => {
  const text = await used();
  const without = Object.keys(metricTable).filter((name) => !new RegExp(`^${name}(_count)?[{ ]`, "m").test(text));
  const onLinux = (name: string) => process.platform !== "linux" && name.endsWith("_fds");
  expect(without.filter((name) => !name.startsWith("nodejs_eventloop_") && !onLinux(name))).toEqual([]);
  expect(text).toContain("# HELP askbox_pending_sessions Sessions that are pending. Total: of the inbox, the same at every hub.\n");
  expect(text).toContain("# HELP askbox_waiting_calls Calls that wait for an outcome. Own: of this hub.\n");
});

test("a process reports its own figures under the names that Prometheus' libraries use", async () => {
  const metrics = metricsWith();
  const figure = (text: string, name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
  const text = await metrics.text();
  expect(figure(text, "process_start_time_seconds")).toBeCloseTo(Date.now() / 1_000 - process.uptime(), -1);
  expect(figure(text, "process_cpu_seconds_total")).toBeGreaterThan(0);
  expect(figure(text, "process_resident_memory_bytes")).toBeGreaterThan(1e7);
  if (process.platform === "linux") expect(figure(text, "process_open_fds")).toBeGreaterThan(2);
  // The event loop's delay is measured from the first scrape on.
  expect(text).not.toMatch(/^nodejs_eventloop_lag_max_seconds /m);
  await expect
    .poll(async () => figure(await metrics.text(), "nodejs_eventloop_lag_max_seconds"), { interval: 50 })
    .toBeGreaterThanOrEqual(0);
});

test("what can be counted is 0 from the start, so that the first one is an increase", async () => {
  const metrics = metricsWith({ waiting: [{ channel: "webhook", count: 0 }], chats: [{ chat: "slack", isConnected: true }] });
  metrics.redis("shared").connection("changes", true);
  const text = await metrics.text();
  for (const outcome of ["answered", "cancelled", "timed_out"])
    expect(text).toContain(`mcp_question_latency_ms_count{outcome="${outcome}"} 0\n`);
  for (const channel of ["webhook", "slack"]) {
    expect(text).toContain(`askbox_deliveries_total{channel="${channel}",result="dropped"} 0\n`);
    expect(text).toContain(`askbox_delivery_retries_total{channel="${channel}"} 0\n`);
  }
  expect(text).toContain('askbox_redis_reconnects_total{part="shared",connection="changes"} 0\n');
  metrics.delivered("webhook", "dropped");
  expect(await metrics.text()).toContain('askbox_deliveries_total{channel="webhook",result="dropped"} 1\n');
});

test("labels have a bounded number of short values, whatever clients send", async () => {
  const odd = (index: number) => `tool_${index}`;
  const surfaces = Array.from({ length: 500 }, (_, index) => ({ surface: `surface-${index}` }));
  const metrics = metricsWith({ surfaces: [...surfaces, { surface: "web" }] });
  for (let index = 0; index < 500; index += 1) {
    metrics.callEnded({ tool: odd(index), status: "error", error: odd(index) });
    metrics.callEnded({ tool: "__proto__", status: "error", error: "constructor" });
    metrics.refused(odd(index));
  }
  // What comes after a flood keeps its name.
  metrics.callEnded({ tool: "ask_user", status: "ok" });
  const lines = (await metrics.text()).split("\n").filter((line) => /^(mcp_tool_calls|mcp_errors|askbox_surfaces)/.test(line));
  expect(lines).toEqual([
    'mcp_tool_calls_total{tool="other",status="error"} 1000',
    'mcp_tool_calls_total{tool="ask_user",status="ok"} 1',
    'mcp_errors_total{type="other"} 1500',
    'askbox_surfaces{surface="other"} 500',
    'askbox_surfaces{surface="web"} 1',
  ]);
});

test("a clock that was set back while a question was open takes nothing off a sum", async () => {
  const metrics = metricsWith();
  metrics.settled({ state: "answered", createdAt: 5_000, closedAt: 1_000 });
  expect(await metrics.text()).toContain('mcp_question_latency_ms_sum{outcome="answered"} 0\n');
});

test("a connection to Redis that is made again is a reconnect, and one that was reported lost twice is one", async () => {
  const metrics = metricsWith();
  const [sessions, files] = [metrics.redis("sessions"), metrics.redis("files")];
  sessions.connection("reading", true);
  files.connection("reading", true);
  sessions.connection("reading", false);
  sessions.connection("reading", false);
  expect(await metrics.text()).toContain('askbox_redis_connected{part="sessions",connection="reading"} 0\n');
  sessions.connection("reading", true);
  const text = await metrics.text();
  expect(text).toContain('askbox_redis_connected{part="sessions",connection="reading"} 1\n');
  const counts = [...text.matchAll(/^askbox_redis_reconnects_total\{part="(\w+)".*\} (\d+)$/gm)];
  expect(counts.map(([, part, count]) => `${part} ${count}`)).toEqual(["sessions 1", "files 0"]);
});

test("deliveries count by channel and result, and a retry is not a result", async () => {
  const metrics = metricsWith({ waiting: [{ channel: "ntfy", count: 3 }] });
  for (const result of ["retried", "retried", "delivered", "dropped", "unknown"] as const) metrics.delivered("ntfy", result);
  const text = await metrics.text();
  for (const result of ["delivered", "dropped", "unknown"])
    expect(text).toContain(`askbox_deliveries_total{channel="ntfy",result="${result}"} 1\n`);
  expect(text).toContain('askbox_delivery_retries_total{channel="ntfy"} 2\n');
  expect(text).toContain('askbox_deliveries_waiting{channel="ntfy"} 3\n');
});
