import { readdirSync, readFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Clock } from "@askbox/core";
import { aboutOf, type MetricName } from "./metric-table.ts";

type Labels = Readonly<Record<string, string>>;

/** One metric with all its labels, in Prometheus' format. */
export interface Family {
  text(): string;
}

interface About {
  name: string;
  help: string;
}

/** Maximum number of label sets, since labels may come from clients; further ones are counted under `other`. */
const maxLabelSets = 200;

/** A number that only grows. */
export class Counter implements Family {
  readonly #about: About;
  readonly #values = new Map<string, number>();

  constructor(about: About) {
    this.#about = about;
  }

  add(labels: Labels, count = 1): void {
    const key = keyIn(this.#values, labels);
    this.#values.set(key, (this.#values.get(key) ?? 0) + count);
  }

  /** Shows it as 0 until it is counted: Prometheus can't see an increase to a number that was not there before. */
  begin(labels: Labels): void {
    this.add(labels, 0);
  }

  text(): string {
    return head(this.#about, "counter") + [...this.#values].map(([labels, value]) => line(this.#about.name, labels, value)).join("");
  }
}

/** A number that is read when it is requested: a gauge, or a counter that something else counts. Its labels must not come from clients. */
export class Gauge implements Family {
  readonly #about: About;
  readonly #read: () => readonly (readonly [Labels, number])[];
  readonly #type: "gauge" | "counter";

  constructor(about: About, read: () => readonly (readonly [Labels, number])[], type: "gauge" | "counter" = "gauge") {
    this.#about = about;
    this.#read = read;
    this.#type = type;
  }

  text(): string {
    return (
      head(this.#about, this.#type) +
      this.#read()
        .map(([labels, value]) => line(this.#about.name, written(labels), value))
        .join("")
    );
  }
}

/** For each bucket, the number of values up to and including its bound. */
export class Histogram implements Family {
  readonly #about: About;
  readonly #bounds: readonly number[];
  readonly #series = new Map<string, { counts: number[]; sum: number; count: number }>();

  constructor(about: About, bounds: readonly number[]) {
    this.#about = about;
    this.#bounds = bounds;
  }

  /** Shows it as 0 until there is a value, like a counter's. */
  begin(labels: Labels): void {
    this.#of(labels);
  }

  observe(labels: Labels, value: number): void {
    const series = this.#of(labels);
    this.#bounds.forEach((bound, index) => {
      if (value <= bound) series.counts[index] = (series.counts[index] ?? 0) + 1;
    });
    series.sum += value;
    series.count += 1;
  }

  text(): string {
    const { name } = this.#about;
    const lines = [...this.#series].map(([labels, { counts, sum, count }]) => {
      const bucket = (bound: string, value: number) => line(`${name}_bucket`, `${labels},le="${bound}"`.replace(/^,/, ""), value);
      const buckets = this.#bounds.map((bound, index) => bucket(String(bound), counts[index] ?? 0)).join("");
      return buckets + bucket("+Inf", count) + line(`${name}_sum`, labels, sum) + line(`${name}_count`, labels, count);
    });
    return head(this.#about, "histogram") + lines.join("");
  }

  #of(labels: Labels) {
    const key = keyIn(this.#series, labels);
    const series = this.#series.get(key) ?? { counts: this.#bounds.map(() => 0), sum: 0, count: 0 };
    this.#series.set(key, series);
    return series;
  }
}

function keyIn(known: ReadonlyMap<string, unknown>, labels: Labels): string {
  const key = written(labels);
  if (known.has(key) || known.size < maxLabelSets) return key;
  return written(Object.fromEntries(Object.keys(labels).map((name) => [name, "other"])));
}

const written = (labels: Labels) =>
  Object.entries(labels)
    .map(([name, value]) => `${name}="${value.replace(/[\\"\n]/g, (found) => (found === "\n" ? "\\n" : `\\${found}`))}"`)
    .join(",");

const head = ({ name, help }: About, type: string) => `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;

const line = (name: string, labels: string, value: number) => `${name}${labels === "" ? "" : `{${labels}}`} ${value}\n`;

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
