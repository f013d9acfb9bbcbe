import * as z from "zod";

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
export const deviceName = (text: string | undefined): string => displayable(text, 60) || "Browser";

/** The displayable part of a person's name, at most 200 characters; undefined if nothing remains. */
export const personName = (text: string | undefined): string | undefined => displayable(text, 200) || undefined;

function displayable(text: string | undefined, max: number): string {
  const line = (text ?? "")
    .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  return [...line].slice(0, max).join("");
}
