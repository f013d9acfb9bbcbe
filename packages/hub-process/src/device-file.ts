import { isPrivate, readJsonFile, writePrivateFile } from "@askbox/home";
import type { DeviceStorage } from "@askbox/hub";

/** Devices in a file of this home that only its owner can read. A file that others could have written is ignored. */
export function deviceFile(path: string): DeviceStorage {
  return {
    load() {
      const { devices } = (isPrivate(path) ? readJsonFile(path) : undefined) ?? {};
      return Array.isArray(devices) ? devices : [];
    },
    save: (devices) => writePrivateFile(path, `${JSON.stringify({ devices }, undefined, 2)}\n`),
  };
}
