import type { IncomingMessage } from "node:http";
import { parse, serialize } from "hono/utils/cookie";
import { isOverTls } from "./addresses.ts";

/** As long as browsers keep a cookie at most; the hub itself ends a login by disuse. */
const maxAge = 400 * 86_400;

/**
 * Cookies ignore ports, so the hub's own port is in the name: two hubs of one machine do not overwrite each other's. Hubs that are one to
 * browsers have a name in common instead.
 */
const nameAt = (site: number | string) => `askbox_${site}`;

/** The cookie half of a device's login, if the request has one. */
export function readDeviceCookie(header: string | undefined, site: number | string): string | undefined {
  return header === undefined ? undefined : parse(header, nameAt(site))[nameAt(site)];
}

/** A `Set-Cookie` that no script can read, no other site's page can send, and that goes over TLS alone where the page came over it. */
export function deviceCookie(value: string, site: number | string, incoming: IncomingMessage): string {
  return serialize(nameAt(site), value, { ...attributes(incoming), maxAge });
}

/** A `Set-Cookie` that takes it back. */
export function noDeviceCookie(site: number | string, incoming: IncomingMessage): string {
  return serialize(nameAt(site), "", { ...attributes(incoming), maxAge: 0 });
}

function attributes(incoming: IncomingMessage) {
  const { origin, "x-forwarded-proto": proto } = incoming.headers;
  // Where a proxy ends TLS before the hub, the page's own origin says so.
  const secure = isOverTls(incoming) || (origin === undefined ? proto === "https" : origin.startsWith("https:"));
  return { httpOnly: true, sameSite: "Strict", path: "/", secure } as const;
}
