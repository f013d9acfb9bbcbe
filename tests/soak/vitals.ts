import { readdirSync, statSync } from "node:fs";
import type { Bound } from "./growth.ts";
import type { Inspector } from "./inspector.ts";

/** The measured figures, and how much each may grow. */
export interface Vital {
  name: string;
  unit: string;
  bound: Bound;
  /** Figures are shown divided by this. */
  scale: number;
}

const megabyte = 1_048_576;

/**
 * A call of this traffic leaves nothing in memory once it is delivered. The limit allows for noise between measurements on a busy machine; a
 * kilobyte left by each call would be five times the heap's limit.
 */
export const vitals = {
  heap: {
    name: "heap after collecting garbage",
    unit: "MB",
    scale: megabyte,
    bound: { perThousand: 0.2 * megabyte, least: 0.4 * megabyte },
  },
  external: {
    name: "memory outside of the heap",
    unit: "MB",
    scale: megabyte,
    bound: { perThousand: 0.2 * megabyte, least: 0.5 * megabyte },
  },
  // Pages kept by the allocator, and SQLite's own cache, which is full at 16 MB.
  rss: { name: "resident memory", unit: "MB", scale: megabyte, bound: { perThousand: 4 * megabyte, least: 24 * megabyte } },
  descriptors: { name: "file descriptors", unit: "", scale: 1, bound: { perThousand: 1, least: 4 } },
  timers: { name: "live timers", unit: "", scale: 1, bound: { perThousand: 3, least: 8 } },
  listeners: { name: "listeners of emitters", unit: "", scale: 1, bound: { perThousand: 3, least: 10 } },
  // Those of requests are released by finalizers, some hundred at a time.
  signals: { name: "live abort signals", unit: "", scale: 1, bound: { perThousand: 40, least: 400 } },
  promises: { name: "live promises", unit: "", scale: 1, bound: { perThousand: 20, least: 40 } },
  // Settled sessions are kept for 90 days: about 3 KB each with their indexes.
  store: { name: "the store's files", unit: "MB", scale: megabyte, bound: { perThousand: 8 * megabyte, least: 8 * megabyte } },
} as const satisfies Record<string, Vital>;

export type VitalName = keyof typeof vitals;
/** Some are sampled less often than others. */
export type Vitals = Partial<Record<VitalName, number>>;

/** Figures that can be read at any time. */
export async function readVitals(inspector: Inspector, { pid, store }: { pid: number; store: string }): Promise<Vitals> {
  await inspector.collectGarbage();
  const memory = await inspector.evaluate<{ heapUsed: number; external: number; rss: number }>("process.memoryUsage()");
  return {
    heap: memory.heapUsed,
    external: memory.external,
    rss: memory.rss,
    descriptors: openDescriptors(pid),
    store: ["", "-wal", "-shm"].reduce((sum, ending) => sum + (statSync(store + ending, { throwIfNoEntry: false })?.size ?? 0), 0),
  };
}

/** Figures from a walk of the whole heap, during which the process pauses: a tenth of a second, or a full one on a busy machine. */
export function readCensus(inspector: Inspector): Promise<Vitals> {
  return inspector.live<Vitals>("Object.prototype", census);
}

const census = `(all) => {
  const Timer = setTimeout(() => {}, 0).constructor;
  const counts = { timers: 0, signals: 0, promises: 0, listeners: 0 };
  for (const each of all) {
    if (each instanceof Promise) counts.promises += 1;
    else if (each instanceof Timer) counts.timers += 1;
    else if (each instanceof AbortSignal) counts.signals += 1;
    const events = Object.getOwnPropertyDescriptor(each, "_events")?.value;
    if (typeof events !== "object" || events === null) continue;
    for (const name of Reflect.ownKeys(events)) {
      const found = events[name];
      counts.listeners += Array.isArray(found) ? found.length : typeof found === "function" ? 1 : 0;
    }
  }
  return counts;
}`;

/** If the system reports it; otherwise nothing is counted. */
function openDescriptors(pid: number): number {
  return process.platform === "linux" ? readdirSync(`/proc/${pid}/fd`).length : 0;
}
