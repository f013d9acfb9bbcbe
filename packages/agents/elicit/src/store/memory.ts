import type { Clock } from "@askbox/core";
import type { ElicitationStore } from "./store.ts";

/** Far more than people can be asked at once; beyond that the oldest are dropped. */
const maxKept = 10_000;

/** Stores values in this process: for servers that run as a single process, such as on stdio. */
export function memoryElicitationStore(clock: Pick<Clock, "monotonic">): ElicitationStore {
  const kept = new Map<string, { value: string; until: number }>();
  const read = (key: string) => {
    const found = kept.get(key);
    if (found === undefined || found.until > clock.monotonic()) return found?.value;
    kept.delete(key);
    return undefined;
  };
  const makeRoom = () => {
    if (kept.size < maxKept) return;
    for (const key of [...kept.keys()]) read(key);
    for (const key of [...kept.keys()].slice(0, Math.max(0, kept.size - maxKept + 1))) kept.delete(key);
  };
  return {
    get: async (key) => read(key),
    async replace(key, expected, next, ttl) {
      if (read(key) !== expected) return false;
      if (expected === undefined) makeRoom();
      kept.set(key, { value: next, until: clock.monotonic() + ttl });
      return true;
    },
  };
}
