import { createHmac, timingSafeEqual } from "node:crypto";
import type { Device, Devices } from "./devices.ts";
import type { HostCheck, Source } from "./host-check.ts";

/**
 * What the hub's own page sends to a mounted service, signed with the key of its login. Whoever reads it can send it again, so the text should
 * say when it was made.
 */
export interface SignedText {
  /** The login's id. */
  id: string;
  /** The page's origin. */
  origin: string;
  text: string;
  /** HMAC-SHA-256 as lower-case hex, of the JSON of `["askbox login: request", hub, origin, id, text]`. */
  mac: string;
}

/** The logged-in browsers, for a mounted service. */
export interface Browsers {
  /** The hub's identity, to which logins are bound. */
  hub: string;
  /** Those about which something is kept. */
  kept(): readonly (Pick<Device, "id" | "name" | "person"> & { kept: unknown })[];
  /**
   * Keeps a value that is valid JSON with a browser's login, in place of the one before; undefined removes it. It is gone when the browser is
   * logged out. Returns false if it isn't logged in. Throws `STORE_UNAVAILABLE`.
   */
  keep(id: string, value: unknown): Promise<boolean>;
  /** The browser whose page has signed a text; undefined if it isn't logged in, or the page isn't the hub's own. */
  signer(request: Request, signed: SignedText): Promise<Device | undefined>;
}

interface BrowsersOptions {
  devices: Devices;
  hosts: HostCheck;
  hub: string;
  sourceOf(request: Request): Source;
}

export function browsersOf({ devices, hosts, hub, sourceOf }: BrowsersOptions): Browsers {
  /** As it is stored now, since hubs may share them. */
  const find = async (id: string) => {
    await devices.list();
    return devices.records().find((record) => record.id === id);
  };
  return {
    hub,
    kept: () => devices.records().flatMap(({ id, name, person, kept }) => (kept === undefined ? [] : { id, name, person, kept })),
    async keep(id, value) {
      const record = await find(id);
      if (record === undefined) return false;
      await devices.put({ ...record, kept: value });
      return true;
    },
    async signer(request, { id, origin, text, mac }) {
      if (!hosts.isOwnPage({ ...sourceOf(request), origin })) return undefined;
      const record = await find(id);
      if (record === undefined) return undefined;
      const signed = JSON.stringify(["askbox login: request", hub, origin, id, text]);
      const expected = createHmac("sha256", Buffer.from(record.secretHash, "hex")).update(signed).digest();
      const given = Buffer.from(mac, "hex");
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
      devices.touch(id);
      const { name, person, createdAt, lastSeenAt } = record;
      return { id, name, createdAt, lastSeenAt, ...(person !== undefined && { person }) };
    },
  };
}
