import {
  type Answerer,
  type BrokerStats,
  type Clock,
  type DeskEvent,
  errorCodes,
  surfaces as knownSurfaces,
  type SessionRecord,
  type SessionStore,
} from "@askbox/core";
import { statuses, statusOf } from "@askbox/core/machine";
import { type Blobs, isFileId } from "@askbox/core/stores";
import type { DeliveryMeter } from "@askbox/notify";
import type { RedisMeter } from "@askbox/store-redis";
import type { ToolCallEnd } from "@askbox/wire";
import { Counter, type Family, Gauge, Histogram, processFamilies } from "./families.ts";
import { aboutOf, type MetricName } from "./metric-table.ts";

/** Bounds in ms, from an immediate answer to the longest timeout of a question. */
const latencyBounds = [1_000, 5_000, 10_000, 30_000, 60_000, 120_000, 300_000, 600_000, 900_000, 1_800_000];
const storeBounds = [1, 2, 5, 10, 25, 50, 100, 250, 1_000];

/** askbox's own tools; a test compares them with those that it offers. */
export const countedTools: readonly string[] = [
  ...["ask_user", "cn_ask_user", "ask_user_questions", "ask_human", "interactive_feedback", "zhi", "request_user_input"],
  ...["plan_review", "walkthrough_review", "get_answer", "get_files"],
];

/**
 * The label for a name that isn't askbox's own: stdio servers report tools and errors, and a desk its surface, and can send anything. So
 * labels have a bounded number of short values, and no client can use them up.
 */
const other = "other";
const oneOf = (known: readonly string[]) => (name: string) => (known.includes(name) ? name : other);
const toolOf = oneOf(countedTools);
const surfaceOf = oneOf(knownSurfaces);
const typeOf = (error: string): string => (Object.hasOwn(errorCodes, error.toUpperCase()) ? error.toLowerCase() : other);

/** A part of the hub with its own connections to Redis. */
export type RedisPart = "sessions" | "files" | "shared";

/** What the hub counts and measures. */
export interface HubMetrics {
  /** The store, timing each of its operations. */
  timed(store: SessionStore): SessionStore;
  /** This hub's write has settled a session: no other hub counts its outcome. */
  settled(record: Pick<SessionRecord, "state" | "createdAt" | "closedAt">): void;
  onEvent(event: DeskEvent): void;
  /** Counts calls over HTTP, and those that stdio MCP servers report. */
  callEnded(end: ToolCallEnd): void;
  /** A request over HTTP was refused. */
  refused(type: string): void;
  /** Takes what connections to Redis report. */
  redis(part: RedisPart): RedisMeter;
  /** Takes what becomes of webhooks, pushes, notifications and messages. */
  delivered: DeliveryMeter;
  /** All metrics in Prometheus' text format. */
  text(): Promise<string>;
}

/** What is read when it is requested. */
export interface MetricsNow {
  stats: BrokerStats;
  surfaces: readonly Answerer[];
  /** Whether the hub can serve requests. */
  isReady: boolean;
  /** Deliveries that wait, by channel. */
  waiting: readonly { channel: string; count: number }[];
  chats: readonly { chat: string; isConnected: boolean }[];
  /** Bytes of the stored files and their limit; `stored` is undefined if that is unknown. */
  files: { stored: number | undefined; max: number };
}

interface HubMetricsOptions {
  clock: Clock;
  now(): MetricsNow | Promise<MetricsNow>;
}

export function hubMetrics({ clock, now }: HubMetricsOptions): HubMetrics {
  let present: MetricsNow | undefined;
  const counter = (name: MetricName) => new Counter(aboutOf(name));
  const gauge = (name: MetricName, read: (present: MetricsNow) => readonly (readonly [Readonly<Record<string, string>>, number])[]) =>
    new Gauge(aboutOf(name), () => (present === undefined ? [] : read(present)));
  const calls = counter("mcp_tool_calls_total");
  const errors = counter("mcp_errors_total");
  const latency = new Histogram(aboutOf("mcp_question_latency_ms"), latencyBounds);
  for (const status of statuses) if (status !== "pending") latency.begin({ outcome: status });
  const store = new Histogram(aboutOf("askbox_store_operation_ms"), storeBounds);
  const roundTrips = new Histogram(aboutOf("askbox_redis_round_trip_ms"), storeBounds);
  const reconnects = counter("askbox_redis_reconnects_total");
  const deliveries = counter("askbox_deliveries_total");
  const retries = counter("askbox_delivery_retries_total");
  /** When each pending session was asked, by id. */
  const pending = new Map<string, number>();
  const links = new Map<string, { labels: Readonly<Record<string, string>>; isUp: boolean }>();
  const families: readonly Family[] = [
    calls,
    errors,
    latency,
    gauge("askbox_pending_sessions", ({ stats }) => [[{}, stats.pending]]),
    gauge("askbox_oldest_pending_ms", () => [
      [{}, pending.size === 0 ? 0 : Math.max(0, clock.now() - [...pending.values()].reduce((oldest, at) => Math.min(oldest, at)))],
    ]),
    gauge("askbox_waiting_calls", ({ stats }) => [[{}, stats.waiting]]),
    gauge("askbox_surfaces", ({ surfaces }) =>
      [...Map.groupBy(surfaces, ({ surface }) => surfaceOf(surface))].map(([surface, of]) => [{ surface }, of.length] as const),
    ),
    gauge("askbox_ready", ({ isReady }) => [[{}, Number(isReady)]]),
    store,
    gauge("askbox_redis_connected", () => [...links.values()].map(({ labels, isUp }) => [labels, Number(isUp)] as const)),
    reconnects,
    roundTrips,
    deliveries,
    retries,
    gauge("askbox_deliveries_waiting", ({ waiting }) => waiting.map(({ channel, count }) => [{ channel }, count] as const)),
    gauge("askbox_chat_connected", ({ chats }) => chats.map(({ chat, isConnected }) => [{ chat }, Number(isConnected)] as const)),
    gauge("askbox_files_bytes", ({ files: { stored } }) => (stored === undefined ? [] : [[{}, stored]])),
    gauge("askbox_files_max_bytes", ({ files }) => [[{}, files.max]]),
    ...processFamilies(clock),
  ];

  const see = ({ id, status, createdAt }: { id: string; status: string; createdAt: number }) =>
    status === "pending" ? pending.set(id, createdAt) : pending.delete(id);

  return {
    timed: (inner) => timedStore(inner, clock, (operation, milliseconds) => store.observe({ operation }, milliseconds)),
    settled({ state, createdAt, closedAt }) {
      // The wall clock may have been set back, and a sum never decreases.
      latency.observe({ outcome: statusOf(state) }, Math.max(0, (closedAt ?? createdAt) - createdAt));
    },
    onEvent(event) {
      if (event.type === "snapshot") for (const session of event.sessions) see(session);
      else if (event.type === "session") see(event.session);
      else if (event.type === "removed") pending.delete(event.sessionId);
    },
    callEnded({ tool, status, error }) {
      calls.add({ tool: toolOf(tool), status });
      if (error !== undefined) errors.add({ type: typeOf(error) });
    },
    refused: (type) => errors.add({ type: typeOf(type) }),
    redis: (part) => ({
      connection(connection, isUp) {
        const labels = { part, connection };
        const key = `${part} ${connection}`;
        if (isUp) reconnects.add(labels, links.get(key)?.isUp === false ? 1 : 0);
        links.set(key, { labels, isUp });
      },
      roundTrip: (connection, milliseconds) => roundTrips.observe({ part, connection }, milliseconds),
    }),
    delivered(channel, result) {
      if (result === "retried") retries.add({ channel });
      else deliveries.add({ channel, result });
    },
    async text() {
      present = await now();
      for (const channel of [...present.waiting.map(({ channel }) => channel), ...present.chats.map(({ chat }) => chat)]) {
        for (const result of ["delivered", "dropped"] as const) deliveries.begin({ channel, result });
        retries.begin({ channel });
      }
      return families.map((family) => family.text()).join("");
    },
  };
}

/** How long a size counts as current, in ms: it takes a list of all files. */
const currentFor = 60_000;

/** The bytes that all stored files take, counted at most once a minute; undefined while the store is away. */
export function filesSize(blobs: Pick<Blobs, "list" | "sharesEqual">, clock: Pick<Clock, "monotonic">): () => Promise<number | undefined> {
  let known: { at: number; bytes: Promise<number | undefined> } | undefined;
  const count = () =>
    blobs.list().then(
      (files) => {
        const sizes = new Map(
          files.map(({ sessionId, id, size }) => [blobs.sharesEqual && isFileId(id) ? id : `${sessionId} ${id}`, size]),
        );
        return [...sizes.values()].reduce((sum, size) => sum + size, 0);
      },
      () => {
        known = undefined;
        return undefined;
      },
    );
  return () => {
    const at = clock.monotonic();
    if (known === undefined || at - known.at >= currentFor) known = { at, bytes: count() };
    return known.bytes;
  };
}

/** Wraps a store and reports the name and duration in ms of each operation, including failed ones. */
function timedStore(store: SessionStore, clock: Clock, report: (operation: string, milliseconds: number) => void): SessionStore {
  const timed = async <Result>(operation: string, work: () => Promise<Result>): Promise<Result> => {
    const began = clock.monotonic();
    try {
      return await work();
    } finally {
      report(operation, clock.monotonic() - began);
    }
  };
  const { tally } = store;
  return {
    get durability() {
      return store.durability;
    },
    audit: store.audit,
    insert: (record, options) => timed("insert", () => store.insert(record, options)),
    get: (id) => timed("get", () => store.get(id)),
    replace: (record, expectedRevision, options) => timed("replace", () => store.replace(record, expectedRevision, options)),
    list: (query) => timed("list", () => store.list(query)),
    count: (query) => timed("count", () => store.count(query)),
    ...(tally !== undefined && { tally: (days) => timed("tally", () => tally.call(store, days)) }),
    due: (until, limit) => timed("due", () => store.due(until, limit)),
    remove: (filter) => timed("remove", () => store.remove(filter)),
    getDraft: (sessionId) => timed("getDraft", () => store.getDraft(sessionId)),
    putDraft: (draft, expectedRevision) => timed("putDraft", () => store.putDraft(draft, expectedRevision)),
    removeDraft: (sessionId) => timed("removeDraft", () => store.removeDraft(sessionId)),
    listDrafts: () => timed("listDrafts", () => store.listDrafts()),
    ...(store.check !== undefined && { check: () => store.check?.() ?? Promise.resolve() }),
    subscribe: (listener) => store.subscribe(listener),
    close: () => store.close(),
  };
}
