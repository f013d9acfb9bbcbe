import { randomBytes, timingSafeEqual } from "node:crypto";
import type { Clock, Log } from "@askbox/core";
import { type DeviceRecord, type DeviceStorage, deviceName, deviceRecordSchema } from "./device-record.ts";
import { createToken, hashToken } from "./tokens.ts";

/** A device that nobody has used for so long is logged out, in ms: 90 days. */
const disuse = 90 * 86_400_000;
/** How far the kept `lastSeenAt` may lag behind, in ms; each saving waits for the disk. */
const savedEvery = 3_600_000;
/** The one that was used longest ago makes way for another. */
const mostDevices = 50;
const mostSecrets = 4;

/** A device as its person sees it. */
export interface Device {
  id: string;
  name: string;
  createdAt: number;
  lastSeenAt: number;
}

/** What a browser gets when it logs in: the two halves, of which the hub keeps hashes. */
export interface DeviceLogin {
  device: Device;
  cookie: string;
  secret: string;
}

interface DevicesOptions {
  storage: DeviceStorage;
  clock: Clock;
  log: Log;
  /** Those that have a connection open, and so are in use at this moment. */
  connected(): ReadonlySet<string>;
  /** The device may no longer do anything: what it has open is to be closed. */
  onRevoked(id: string): void;
}

/** The browsers that have logged in. */
export class Devices {
  readonly #options: DevicesOptions;
  readonly #devices = new Map<string, DeviceRecord>();
  #savedAt: number;

  constructor(options: DevicesOptions) {
    this.#options = options;
    this.#savedAt = options.clock.now();
    for (const stored of options.storage.load()) {
      const read = deviceRecordSchema.safeParse(stored);
      if (read.success) this.#devices.set(read.data.id, read.data);
    }
  }

  /** Logs a browser in. One that still has the cookie of a device stays that device. Throws what the storage throws; then nothing has changed. */
  logIn(name: string | undefined, cookie: string | undefined): DeviceLogin {
    const now = this.#options.clock.now();
    const secret = createToken();
    const known = cookie === undefined ? undefined : this.#withCookie(cookie);
    const kept = known === undefined ? createToken() : (cookie ?? createToken());
    const record: DeviceRecord = {
      id: known?.id ?? randomBytes(8).toString("hex"),
      name: deviceName(name ?? known?.name),
      createdAt: known?.createdAt ?? now,
      lastSeenAt: now,
      cookieHash: hashToken(kept),
      secretHashes: [...(known?.secretHashes ?? []), hashToken(secret)].slice(-mostSecrets),
    };
    const before = [...this.#devices.values()];
    this.#devices.set(record.id, record);
    const removed = this.#makeRoom();
    try {
      this.#save();
    } catch (error) {
      this.#devices.clear();
      for (const device of before) this.#devices.set(device.id, device);
      throw error;
    }
    for (const { id } of removed) this.#options.onRevoked(id);
    return { device: shown(record), cookie: kept, secret };
  }

  /** The device to which both halves belong, which counts as used by that. */
  verify(cookie: string | undefined, secret: string): Device | undefined {
    if (cookie === undefined) return undefined;
    const record = this.#withCookie(cookie);
    const given = hashToken(secret);
    let matches = false;
    for (const hash of record?.secretHashes ?? []) if (isEqual(hash, given)) matches = true;
    if (record === undefined || !matches) return undefined;
    this.touch(record.id);
    return shown(record);
  }

  /** The device is in use. */
  touch(id: string): void {
    const record = this.#devices.get(id);
    const now = this.#options.clock.now();
    if (record === undefined) return;
    record.lastSeenAt = now;
    if (now - this.#savedAt >= savedEvery) this.#saveQuietly();
  }

  /** Those that may log in, the one used last first. */
  list(): Device[] {
    this.#dropDisused();
    return [...this.#devices.values()].map(shown).sort((one, other) => other.lastSeenAt - one.lastSeenAt);
  }

  /** Logs a device out for good; false when there is none. Throws what the storage throws: the device is then out until the hub starts again. */
  revoke(id: string): boolean {
    if (!this.#devices.delete(id)) return false;
    this.#options.onRevoked(id);
    this.#save();
    return true;
  }

  close(): void {
    if (this.#devices.size > 0) this.#saveQuietly();
  }

  #withCookie(cookie: string): DeviceRecord | undefined {
    this.#dropDisused();
    const given = hashToken(cookie);
    let found: DeviceRecord | undefined;
    // No early end, as with tokens: how long it takes tells nothing.
    for (const record of this.#devices.values()) if (isEqual(record.cookieHash, given)) found = record;
    return found;
  }

  #dropDisused(): void {
    for (const id of this.#options.connected()) this.touch(id);
    const oldest = this.#options.clock.now() - disuse;
    for (const { id, lastSeenAt } of [...this.#devices.values()]) {
      if (lastSeenAt > oldest) continue;
      this.#devices.delete(id);
      this.#options.onRevoked(id);
    }
  }

  #makeRoom(): DeviceRecord[] {
    const byUse = [...this.#devices.values()].sort((one, other) => one.lastSeenAt - other.lastSeenAt);
    const removed = byUse.slice(0, Math.max(0, byUse.length - mostDevices));
    for (const { id } of removed) this.#devices.delete(id);
    return removed;
  }

  #save(): void {
    this.#options.storage.save([...this.#devices.values()]);
    this.#savedAt = this.#options.clock.now();
  }

  #saveQuietly(): void {
    try {
      this.#save();
    } catch (error) {
      this.#options.log("warn", "When devices were last used could not be saved", { error: String(error) });
    }
  }
}

const shown = ({ id, name, createdAt, lastSeenAt }: DeviceRecord): Device => ({ id, name, createdAt, lastSeenAt });

const isEqual = (hash: string, given: string) => timingSafeEqual(Buffer.from(hash), Buffer.from(given));
