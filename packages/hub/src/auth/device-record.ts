import * as z from "zod";

const hash = z.string().regex(/^[0-9a-f]{64}$/);

/** A browser that has logged in, as it is kept: both halves of its login are hashes. Each login is one of its own. Times are wall time in ms since the epoch. */
export const deviceRecordSchema = z.object({
  id: z.string().min(1).max(100),
  /** What its person reads in lists and answers, such as "Firefox on Linux". */
  name: z.string().min(1).max(120),
  createdAt: z.number(),
  lastSeenAt: z.number(),
  cookieHash: hash,
  /** Also the key by which the page and the hub prove themselves to each other; see `loginKey`. */
  secretHash: hash,
  /** The token on whose word it was let in, where that is one with a name: it is logged out with it. */
  guarantor: z.object({ owner: z.string(), expiresAt: z.number().optional() }).optional(),
});
/** A browser that has logged in, as it is stored. */
export type DeviceRecord = z.infer<typeof deviceRecordSchema>;

/** Where devices are kept between runs of the hub. */
export interface DeviceStorage {
  /** The last saved entries; the reader skips invalid ones. */
  load(): readonly unknown[];
  /** Keeps them where nobody but the hub's owner can read them. Throws `STORE_UNAVAILABLE`. */
  save(devices: readonly DeviceRecord[]): void;
  /**
   * Where several hubs keep them together, in place of the other two: makes a change and gives all that there are then. Throws `STORE_UNAVAILABLE`;
   * nothing is changed then.
   */
  exchange?(change: { put: readonly DeviceRecord[]; removed: readonly string[] }): Promise<readonly DeviceRecord[]>;
  /** Subscribes to possible changes by another hub. Returns a function that unsubscribes. */
  subscribe?(listener: () => void): () => void;
}

/** Devices that are forgotten with the process. */
export const forgetfulStorage: DeviceStorage = Object.freeze({ load: () => [], save: () => {} });

/** What can be shown of a name that a browser gave: one line without control characters, of at most 60 characters. */
export function deviceName(given: string | undefined): string {
  const line = (given ?? "")
    .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  return [...line].slice(0, 60).join("") || "Browser";
}
