import type { SharedState } from "@askbox/core";
import { type DeviceStorage, deviceRecordSchema } from "../auth/device-record.ts";
import { sharedList } from "./shared-list.ts";

/** Logged-in browsers shared by several hubs. */
export function sharedDevices(shared: SharedState): DeviceStorage {
  const list = sharedList(shared, "devices", deviceRecordSchema);
  return {
    load: () => [],
    save: () => {},
    exchange({ put, removed }) {
      if (put.length === 0 && removed.length === 0) return list.read();
      const changed = new Set([...removed, ...put.map(({ id }) => id)]);
      return list.change((devices) => [...devices.filter(({ id }) => !changed.has(id)), ...put]);
    },
    subscribe: (listener) => list.subscribe(listener),
  };
}
