import type { SharedState } from "@askbox/core";
import { type DeviceStorage, deviceRecordSchema } from "../auth/device-record.ts";
import { sharedList } from "./shared-list.ts";

/** Logged-in browsers shared by several hubs. */
export function sharedDevices(shared: SharedState): DeviceStorage {
  const list = sharedList(shared, "devices", deviceRecordSchema);
  return {
    load: () => [],
    save: () => {},
    exchange({ put, removed, seen = [], kept = [] }) {
      if (put.length + removed.length + seen.length + kept.length === 0) return list.current();
      const changed = new Set([...removed, ...put.map(({ id }) => id)]);
      const seenAt = new Map(seen.map(({ id, lastSeenAt }) => [id, lastSeenAt]));
      return list.change((devices) => [
        ...devices
          .filter(({ id }) => !changed.has(id))
          .map((device) => ({
            ...device,
            lastSeenAt: Math.max(device.lastSeenAt, seenAt.get(device.id) ?? 0),
            ...kept.find(({ id }) => id === device.id),
          })),
        ...put,
      ]);
    },
    subscribe: (listener) => list.subscribe(listener),
  };
}
