import { readdirSync, readFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Clock } from "@askbox/core";
import { type Family, Gauge } from "./families.ts";
import { aboutOf, type MetricName } from "./metric-table.ts";

/** How often the event loop's delay is measured, in ms. */
const resolution = 20;
/** How long it is measured after a scrape, in ms: a hub that nobody watches isn't woken for it. */
const watchedFor = 600_000;

type ReadFamily = (name: MetricName, value: () => number | undefined, type?: "counter") => Family;

/** What Prometheus' client libraries report of every process, under the same names. */
export function processFamilies(clock: Pick<Clock, "setTimer">): readonly Family[] {
  const read: ReadFamily = (name, value, type) =>
    new Gauge(
      aboutOf(name),
      () => {
        const now = value();
        return now === undefined ? [] : [[{}, now]];
      },
      type,
    );
  const startedAt = Date.now() / 1_000 - process.uptime();
  const maxOpen = maxOpenFiles();
  return [
    read("process_cpu_user_seconds_total", () => process.cpuUsage().user / 1e6, "counter"),
    read("process_cpu_system_seconds_total", () => process.cpuUsage().system / 1e6, "counter"),
    read("process_cpu_seconds_total", () => (process.cpuUsage().user + process.cpuUsage().system) / 1e6, "counter"),
    read("process_start_time_seconds", () => startedAt),
    read("process_resident_memory_bytes", () => process.memoryUsage.rss()),
    read("process_open_fds", openFiles),
    read("process_max_fds", () => maxOpen),
    read("nodejs_heap_size_total_bytes", () => process.memoryUsage().heapTotal),
    read("nodejs_heap_size_used_bytes", () => process.memoryUsage().heapUsed),
    eventLoopLag(read, clock),
  ];
}

/** Measures from one scrape to the next, and not at all while nothing scrapes. */
function eventLoopLag(read: ReadFamily, clock: Pick<Clock, "setTimer">): Family {
  const delays = monitorEventLoopDelay({ resolution });
  let cancel = () => {};
  // A measurement includes the time until the timer was due.
  const seconds = (nanoseconds: number) => (delays.count === 0 ? undefined : Math.max(0, nanoseconds / 1e9 - resolution / 1_000));
  const families = [
    read("nodejs_eventloop_lag_mean_seconds", () => seconds(delays.mean)),
    read("nodejs_eventloop_lag_p99_seconds", () => seconds(delays.percentile(99))),
    read("nodejs_eventloop_lag_max_seconds", () => seconds(delays.max)),
  ];
  return {
    text() {
      const text = families.map((family) => family.text()).join("");
      delays.reset();
      delays.enable();
      cancel();
      cancel = clock.setTimer(watchedFor, () => delays.disable());
      return text;
    },
  };
}

function openFiles(): number | undefined {
  try {
    // Without the one that reads the list.
    return readdirSync("/proc/self/fd").length - 1;
  } catch {
    return undefined;
  }
}

function maxOpenFiles(): number | undefined {
  try {
    const [, most] = /^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    return most === undefined ? undefined : Number(most);
  } catch {
    return undefined;
  }
}
