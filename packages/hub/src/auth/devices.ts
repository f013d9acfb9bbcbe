// The logged-in browsers. A login has two halves, a cookie and a secret of the page, of which the hub keeps hashes; it ends when it is
// revoked, when the token that vouched for it ends, or after 90 days without use.

import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { CancelTimer, Clock, Log } from "@askbox/core";
import { type Challenge, type LoginHello, loginKeyText, loginProofText } from "@askbox/wire";
import { parse, serialize } from "hono/utils/cookie";
import * as z from "zod";
import { createToken, hashToken } from "./access.ts";
import type { LoginFor } from "./login-codes.ts";

/** A device that has been unused for this long is logged out, in ms: 90 days. */
const disuse = 90 * 86_400_000;
/** How far the stored `lastSeenAt` may lag behind, in ms; saving means a disk write. */
const savedEvery = 3_600_000;
/** Enough for a team whose members each use a few browsers. */
const defaultMax = 500;
/** With several hubs, a logout whose event was lost is noticed within this time, in ms. */
const refreshEvery = 10_000;

/** A device, as shown to its user. */
export interface Device {
  id: string;
  name: string;
  /** Who uses it, if that is known. */
  person?: string;
  createdAt: number;
  lastSeenAt: number;
  /** When it is logged out because the token it logged in with expires: wall time, ms since the epoch. */
  expiresAt?: number;
}

/** What a browser receives when it logs in: the two halves, of which the hub stores hashes. */
interface DeviceLogin {
  device: Device;
  cookie: string;
  secret: string;
}

/** The login that a browser claims, and the challenge to prove it. */
interface DeviceChallenge {
  challenge: Challenge;
  /** Returns the device if the proof is correct. */
  admit(proof: string): Promise<Device | undefined>;
}

interface DevicesOptions {
  /** The hub's identity: a proof for one hub is worthless at another. */
  hub: string;
  storage: DeviceStorage;
  clock: Clock;
  log: Log;
  /** Beyond this number, the least recently used device is logged out. Default 500. */
  max?: number | undefined;
  /** Devices with an open connection, which count as in use. */
  connected(): ReadonlySet<string>;
  /** Called when a device is logged out; close what it has open. */
  onRevoked(id: string): void;
}

type DeviceChange = Partial<Parameters<NonNullable<DeviceStorage["exchange"]>>[0]>;

/** The logged-in browsers. */
export class Devices {
  readonly #options: DevicesOptions;
  readonly #devices = new Map<string, DeviceRecord>();
  /** The shared devices as last read. */
  #adopted: readonly DeviceRecord[] | undefined;
  /** Logged out here, and perhaps not yet among the shared devices: that is tried until it is stored. */
  readonly #loggedOut = new Set<string>();
  #savedAt: number;
  readonly #unsubscribe: () => void;
  #cancelRefresh: CancelTimer = () => {};

  constructor(options: DevicesOptions) {
    this.#options = options;
    this.#savedAt = options.clock.now();
    for (const stored of options.storage.load()) {
      const read = deviceRecordSchema.safeParse(stored);
      if (read.success) this.#devices.set(read.data.id, read.data);
    }
    this.#unsubscribe = options.storage.subscribe?.(() => void this.#refreshQuietly()) ?? (() => {});
    this.#refreshLater();
  }

  /** Logs a browser in. Throws if it cannot be stored; nothing has changed in that case. */
  async logIn(name: string | undefined, { guarantor, person: personText }: LoginFor = {}): Promise<DeviceLogin> {
    await this.#refresh();
    const now = this.#options.clock.now();
    const [cookie, secret] = [createToken(), createToken()];
    const person = personName(personText);
    const record: DeviceRecord = {
      id: randomBytes(8).toString("hex"),
      name: deviceName(name),
      person,
      createdAt: now,
      lastSeenAt: now,
      cookieHash: hashToken(cookie),
      secretHash: this.#keyOf(secret),
      guarantor,
    };
    const before = [...this.#devices.values()];
    this.#devices.set(record.id, record);
    const removed = this.#makeRoom();
    try {
      await this.#save({ put: [record], removed: removed.map(({ id }) => id) });
    } catch (error) {
      this.#devices.clear();
      for (const device of before) if (!this.#loggedOut.has(device.id)) this.#devices.set(device.id, device);
      // Another hub may have logged one of them out meanwhile.
      this.#adopted = undefined;
      throw error;
    }
    for (const { id } of removed) this.#options.onRevoked(id);
    return { device: shown(record), cookie, secret };
  }

  /** The device to which both halves belong. It counts as used. */
  async verify(cookie: string | undefined, secret: string): Promise<Device | undefined> {
    if (cookie === undefined) return undefined;
    await this.#refresh();
    const record = this.#withCookie(cookie);
    if (record === undefined || !isEqual(record.secretHash, this.#keyOf(secret))) return undefined;
    this.touch(record.id);
    return shown(record);
  }

  /** Whether the cookie is this device's half. */
  hasCookie(id: string, cookie: string | undefined): boolean {
    return cookie !== undefined && this.#withCookie(cookie)?.id === id;
  }

  /** Proves the hub to a device's page, and returns what the page has to prove. Returns undefined if there is no such device. */
  async challenge({ id, origin, nonce: pageNonce }: LoginHello): Promise<DeviceChallenge | undefined> {
    await this.#refresh();
    this.#dropDisused();
    const record = this.#devices.get(id);
    if (record === undefined) return undefined;
    const { hub } = this.#options;
    const nonce = randomBytes(16).toString("hex");
    const prove = (side: "hub" | "page") => macOf(record, loginProofText(side, { hub, origin, id, pageNonce, hubNonce: nonce }));
    return {
      challenge: { hub, nonce, proof: prove("hub") },
      admit: async (proof) => {
        if (!isEqual(prove("page"), proof)) return undefined;
        // It may have been logged out in the meantime.
        const present = this.#devices.get(id);
        if (present === undefined) return undefined;
        this.touch(id);
        return shown(present);
      },
    };
  }

  #keyOf(secret: string): string {
    return createHash("sha256").update(loginKeyText(this.#options.hub, secret)).digest("hex");
  }

  /** Marks the device as in use. */
  touch(id: string): void {
    const record = this.#devices.get(id);
    const now = this.#options.clock.now();
    if (record === undefined) return;
    record.lastSeenAt = now;
    if (now - this.#savedAt >= savedEvery) void this.#saveQuietly({ seen: [...this.#devices.values()] });
  }

  /** Logged-in devices, most recently used first. */
  async list(): Promise<Device[]> {
    await this.#refresh();
    return this.records()
      .map(shown)
      .sort((one, other) => other.lastSeenAt - one.lastSeenAt);
  }

  /** Logged-in devices as stored, as last read. */
  records(): DeviceRecord[] {
    this.#dropDisused();
    return [...this.#devices.values()];
  }

  /** Keeps a value with a device's login. Returns false if it is logged out, which this doesn't undo. Throws if it cannot be stored. */
  async keep(id: string, kept: unknown): Promise<boolean> {
    await this.#refresh();
    const record = this.#devices.get(id);
    if (record === undefined) return false;
    record.kept = kept;
    await this.#save({ kept: [{ id, kept }] });
    return this.#devices.has(id);
  }

  /**
   * Logs a device out permanently; returns false if there is none. Throws if that cannot be stored; the device is then logged out until the
   * hub restarts.
   */
  async revoke(id: string): Promise<boolean> {
    await this.#refresh();
    if (!this.#devices.delete(id)) return false;
    this.#loggedOut.add(id);
    this.#options.onRevoked(id);
    await this.#save({ removed: [id] });
    return true;
  }

  /** Logs out all devices that this owner let in. */
  async revokeOf(owner: string): Promise<void> {
    const guaranteed = [...this.#devices.values()].filter(({ guarantor }) => guarantor?.owner === owner);
    for (const { id } of guaranteed) {
      this.#devices.delete(id);
      this.#loggedOut.add(id);
    }
    for (const { id } of guaranteed) this.#options.onRevoked(id);
    if (guaranteed.length > 0) await this.#saveQuietly({ removed: guaranteed.map(({ id }) => id) });
  }

  close(): void {
    this.#unsubscribe();
    this.#cancelRefresh();
    if (this.#devices.size > 0)
      void this.#saveQuietly({ seen: [...this.#options.connected()].flatMap((id) => this.#devices.get(id) ?? []) });
  }

  /** Devices shared by several hubs are read again before each use, so that logging out at one hub logs out at all. */
  async #refresh(): Promise<void> {
    const { exchange } = this.#options.storage;
    if (exchange !== undefined) this.#adopt(await exchange({ put: [], removed: [] }));
  }

  async #refreshQuietly(): Promise<void> {
    try {
      await this.#refresh();
    } catch (error) {
      this.#options.log("debug", "The devices could not be read", { error: String(error) });
    }
  }

  /** Catches up on lost events. */
  #refreshLater(): void {
    const { storage, clock } = this.#options;
    if (storage.exchange === undefined) return;
    const refresh = () => (this.#loggedOut.size > 0 ? this.#saveQuietly({ removed: [...this.#loggedOut] }) : this.#refreshQuietly());
    this.#cancelRefresh = clock.setTimer(refreshEvery, () => void refresh().finally(() => this.#refreshLater()));
  }

  #adopt(records: readonly DeviceRecord[]): void {
    if (records === this.#adopted) return;
    this.#adopted = records;
    const present = new Set(records.map(({ id }) => id));
    for (const id of this.#loggedOut) if (!present.has(id)) this.#loggedOut.delete(id);
    for (const record of records) {
      if (this.#loggedOut.has(record.id)) continue;
      const lastSeenAt = Math.max(record.lastSeenAt, this.#devices.get(record.id)?.lastSeenAt ?? 0);
      this.#devices.set(record.id, { ...record, lastSeenAt });
    }
    for (const id of [...this.#devices.keys()]) {
      if (present.has(id)) continue;
      this.#devices.delete(id);
      this.#options.onRevoked(id);
    }
  }

  #withCookie(cookie: string): DeviceRecord | undefined {
    this.#dropDisused();
    const hashed = hashToken(cookie);
    let found: DeviceRecord | undefined;
    // No early return, as with tokens: the timing must not reveal anything.
    for (const record of this.#devices.values()) if (isEqual(record.cookieHash, hashed)) found = record;
    return found;
  }

  #dropDisused(): void {
    for (const id of this.#options.connected()) this.touch(id);
    const now = this.#options.clock.now();
    const isOver = ({ lastSeenAt, guarantor }: DeviceRecord) =>
      lastSeenAt <= now - disuse || now >= (guarantor?.expiresAt ?? Number.POSITIVE_INFINITY);
    const over = [...this.#devices.values()].filter(isOver).map(({ id }) => id);
    for (const id of over) this.#devices.delete(id);
    for (const id of over) this.#options.onRevoked(id);
    // Permanent, even if the clock goes back.
    if (over.length > 0) void this.#saveQuietly({ removed: over });
  }

  #makeRoom(): DeviceRecord[] {
    const byUse = [...this.#devices.values()].sort((one, other) => one.lastSeenAt - other.lastSeenAt);
    const removed = byUse.slice(0, Math.max(0, byUse.length - (this.#options.max ?? defaultMax)));
    for (const { id } of removed) this.#devices.delete(id);
    return removed;
  }

  async #save(change: DeviceChange): Promise<void> {
    const { storage, clock } = this.#options;
    // Before the write, so that requests in the meantime do not write again.
    const before = this.#savedAt;
    this.#savedAt = clock.now();
    try {
      if (storage.exchange === undefined) {
        storage.save([...this.#devices.values()]);
        this.#loggedOut.clear();
      } else this.#adopt(await storage.exchange({ put: [], removed: [], ...change }));
    } catch (error) {
      this.#savedAt = before;
      throw error;
    }
  }

  async #saveQuietly(change: DeviceChange): Promise<void> {
    try {
      await this.#save(change);
    } catch (error) {
      this.#options.log("warn", "Changes to devices could not be saved", { error: String(error) });
    }
  }
}

const shown = ({ id, name, person, createdAt, lastSeenAt, guarantor }: DeviceRecord): Device => ({
  id,
  name,
  createdAt,
  lastSeenAt,
  person,
  ...(guarantor?.expiresAt !== undefined && { expiresAt: guarantor.expiresAt }),
});

const isEqual = (hash: string, actual: string) => hash.length === actual.length && timingSafeEqual(Buffer.from(hash), Buffer.from(actual));

const macOf = ({ secretHash }: DeviceRecord, text: string) =>
  createHmac("sha256", Buffer.from(secretHash, "hex")).update(text).digest("hex");

const hash = z.string().regex(/^[0-9a-f]{64}$/);

/**
 * A logged-in browser, as stored: both halves of its login are hashes. Each login gets its own record. Times are wall time in ms since the
 * epoch.
 */
export const deviceRecordSchema = z.object({
  id: z.string().min(1).max(100),
  /** The name shown in lists and answers, such as "Firefox on Linux". */
  name: z.string().min(1).max(120),
  /** Who uses it, if that is known; its answers then carry this name. */
  person: z.string().min(1).max(200).optional(),
  createdAt: z.number(),
  lastSeenAt: z.number(),
  cookieHash: hash,
  /** Also the key with which the page and the hub prove themselves to each other; see `loginKey`. */
  secretHash: hash,
  /** The named token that logged it in, if there was one; revoking the token logs the browser out. */
  guarantor: z.object({ owner: z.string(), expiresAt: z.number().optional() }).optional(),
  /** What a mounted service keeps about it. */
  kept: z.unknown().optional(),
});
/** The schema of a stored device. */
export type DeviceRecord = z.infer<typeof deviceRecordSchema>;

/** Stores devices between runs of the hub. */
export interface DeviceStorage {
  /** The last saved entries; the reader skips invalid ones. */
  load(): readonly unknown[];
  /** Stores them where only the hub's owner can read them. Throws `STORE_UNAVAILABLE`. */
  save(devices: readonly DeviceRecord[]): void;
  /**
   * Replaces the other two when several hubs share the devices: applies a change and returns the resulting entries. Throws
   * `STORE_UNAVAILABLE`; nothing has changed in that case. `put` are new. `seen` updates when devices were last seen and `kept` what is kept
   * about them, of those that are still there: none of them brings back a device that another hub has logged out. It may return the same
   * array while nothing changes.
   */
  exchange?(change: {
    put: readonly DeviceRecord[];
    removed: readonly string[];
    seen?: readonly DeviceRecord[];
    kept?: readonly Pick<DeviceRecord, "id" | "kept">[];
  }): Promise<readonly DeviceRecord[]>;
  /** Subscribes to possible changes by another hub. Returns a function that unsubscribes. */
  subscribe?(listener: () => void): () => void;
}

/** Devices in memory only. */
export const forgetfulStorage: DeviceStorage = Object.freeze({ load: () => [], save: () => {} });

/** The displayable part of a name that a browser sent: one line without control characters, at most 60 characters. */
const deviceName = (text: string | undefined): string => displayable(text, 60) || "Browser";

/** The displayable part of a person's name, at most 200 characters; undefined if nothing remains. */
const personName = (text: string | undefined): string | undefined => displayable(text, 200) || undefined;

function displayable(text: string | undefined, max: number): string {
  const line = (text ?? "")
    .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  return [...line].slice(0, max).join("");
}

/** The longest that browsers keep a cookie. The hub itself ends unused logins earlier. */
const maxAge = 400 * 86_400;

/** Where a device's cookie is valid. */
export interface CookieScope {
  /**
   * Cookies ignore ports, so the name contains the hub's port: two hubs on one machine don't overwrite each other's cookies. Hubs that
   * share an inbox use a common name instead.
   */
  site: () => number | string;
  publicPath(request: Request): string;
}

const nameAt = (site: number | string) => `askbox_${site}`;

/** The cookie half of a device's login, if the request has one. */
export function readDeviceCookie(header: string | null, site: number | string): string | undefined {
  return header === null ? undefined : parse(header, nameAt(site))[nameAt(site)];
}

/**
 * A `Set-Cookie` that scripts cannot read, that other sites' pages cannot send, and that is limited to TLS if the page was served over TLS.
 */
export function deviceCookie(value: string, scope: CookieScope, request: Request): string {
  return serialize(nameAt(scope.site()), value, { ...attributes(scope, request), maxAge });
}

/** A `Set-Cookie` that deletes the cookie. */
export function noDeviceCookie(scope: CookieScope, request: Request): string {
  return serialize(nameAt(scope.site()), "", { ...attributes(scope, request), maxAge: 0 });
}

function attributes({ publicPath }: CookieScope, request: Request) {
  const { url, headers } = request;
  const origin = headers.get("origin");
  // If a proxy terminates TLS before the hub, the page's own origin shows it.
  const secure = url.startsWith("https:") || (origin === null ? headers.get("x-forwarded-proto") === "https" : origin.startsWith("https:"));
  return { httpOnly: true, sameSite: "Strict", path: publicPath(request) || "/", secure } as const;
}
