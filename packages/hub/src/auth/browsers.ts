import { createHmac, timingSafeEqual } from "node:crypto";
import type { Clock } from "@askbox/core";
import * as z from "zod";
import type { Device, Devices } from "./devices.ts";
import type { HostCheck, Source } from "./host-check.ts";

/** How far a browser's clock may be off, in ms. Whoever reads a signed text can send it again for as long. */
const maxSkew = 300_000;

/** What the hub's own page sends, signed with the key of its login. */
export interface SignedText {
  /** The login's id. */
  id: string;
  /** The page's origin. */
  origin: string;
  /** When it was made: wall time of the browser, ms since the epoch. */
  at: number;
  text: string;
  /** HMAC-SHA-256 as lower-case hex, of the JSON of `["askbox login: request", hub, origin, id, at, text]`. */
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
  /**
   * The browser whose page has signed a text; undefined if it isn't logged in, or the page isn't the hub's own; `late` if its clock is off by
   * more than 5 minutes, or this is a copy of an old request.
   */
  signer(request: Request, signed: SignedText): Promise<Device | "late" | undefined>;
}

interface BrowsersOptions {
  devices: Devices;
  hosts: HostCheck;
  hub: string;
  clock: Pick<Clock, "now">;
  sourceOf(request: Request): Source;
}

export function browsersOf({ devices, hosts, hub, clock, sourceOf }: BrowsersOptions): Browsers {
  /** As it is stored now, since hubs may share them. */
  const find = async (id: string) => {
    await devices.list();
    return devices.records().find((record) => record.id === id);
  };
  return {
    hub,
    kept: () => devices.records().flatMap(({ id, name, person, kept }) => (kept === undefined ? [] : { id, name, person, kept })),
    keep: (id, value) => devices.keep(id, value),
    async signer(request, { id, origin, at, text, mac }) {
      if (!hosts.isOwnPage({ ...sourceOf(request), origin })) return undefined;
      const record = await find(id);
      if (record === undefined) return undefined;
      const signed = JSON.stringify(["askbox login: request", hub, origin, id, at, text]);
      const expected = createHmac("sha256", Buffer.from(record.secretHash, "hex")).update(signed).digest();
      const received = Buffer.from(mac, "hex");
      if (received.length !== expected.length || !timingSafeEqual(received, expected)) return undefined;
      if (Math.abs(at - clock.now()) > maxSkew) return "late";
      devices.touch(id);
      const { name, person, createdAt, lastSeenAt } = record;
      return { id, name, createdAt, lastSeenAt, ...(person !== undefined && { person }) };
    },
  };
}

const proofSchema = z.tuple([z.string(), z.string(), z.number(), z.string()]);

/**
 * The browser whose page sent a request with `page.` and the JSON of id, origin, time and HMAC in base64url as its token. It has signed method,
 * path and query; an embedding server or a proxy may have put something before the path.
 */
export async function pageOf(browsers: Browsers, request: Request, token: string): Promise<Device | undefined> {
  const proof = proofSchema.safeParse(parsed(Buffer.from(token.slice("page.".length), "base64url").toString()));
  if (!proof.success) return undefined;
  const [id, origin, at, mac] = proof.data;
  const { pathname, search } = new URL(request.url);
  const path = pathname.slice(pathname.lastIndexOf("/api/"));
  const device = await browsers.signer(request, { id, origin, at, mac, text: JSON.stringify([request.method, path, search]) });
  return device === "late" ? undefined : device;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
