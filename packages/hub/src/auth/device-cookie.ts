import type { IncomingHttpHeaders } from "node:http";
import { parse, serialize } from "hono/utils/cookie";

/** As long as browsers keep a cookie at most; the hub itself ends a login by disuse. */
const maxAge = 400 * 86_400;

/** Cookies ignore ports, so the hub's own port is in the name: two hubs of one machine do not overwrite each other's. */
const nameAt = (port: number) => `askbox_${port}`;

/** The cookie half of a device's login, if the request has one. */
export function readDeviceCookie(header: string | undefined, port: number): string | undefined {
  return header === undefined ? undefined : parse(header, nameAt(port))[nameAt(port)];
}

/** A `Set-Cookie` that no script can read, no other site's page can send, and that goes over TLS alone where the page came over it. */
export function deviceCookie(value: string, port: number, headers: IncomingHttpHeaders): string {
  return serialize(nameAt(port), value, { ...attributes(headers), maxAge });
}

/** A `Set-Cookie` that takes it back. */
export function noDeviceCookie(port: number, headers: IncomingHttpHeaders): string {
  return serialize(nameAt(port), "", { ...attributes(headers), maxAge: 0 });
}

function attributes({ origin, "x-forwarded-proto": proto }: IncomingHttpHeaders) {
  // The hub speaks plain HTTP; where there is TLS, a proxy ends it, and the page's own origin says so.
  const secure = origin === undefined ? proto === "https" : origin.startsWith("https:");
  return { httpOnly: true, sameSite: "Strict", path: "/", secure } as const;
}
