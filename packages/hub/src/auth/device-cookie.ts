import { parse, serialize } from "hono/utils/cookie";

/** As long as browsers keep a cookie at most; the hub itself ends a login by disuse. */
const maxAge = 400 * 86_400;

/** Where the hub is within its origin. */
export interface CookieScope {
  /**
   * Cookies ignore ports, so the hub's own port is in the name: two hubs of one machine do not overwrite each other's. Hubs that are one to
   * browsers have a name in common instead.
   */
  site: () => number | string;
  basePath: string;
}

const nameAt = (site: number | string) => `askbox_${site}`;

/** The cookie half of a device's login, if the request has one. */
export function readDeviceCookie(header: string | null, site: number | string): string | undefined {
  return header === null ? undefined : parse(header, nameAt(site))[nameAt(site)];
}

/** A `Set-Cookie` that no script can read, no other site's page can send, and that goes over TLS alone where the page came over it. */
export function deviceCookie(value: string, scope: CookieScope, request: Request): string {
  return serialize(nameAt(scope.site()), value, { ...attributes(scope, request), maxAge });
}

/** A `Set-Cookie` that takes it back. */
export function noDeviceCookie(scope: CookieScope, request: Request): string {
  return serialize(nameAt(scope.site()), "", { ...attributes(scope, request), maxAge: 0 });
}

function attributes({ basePath }: CookieScope, { url, headers }: Request) {
  const origin = headers.get("origin");
  // Where a proxy ends TLS before the hub, the page's own origin says so.
  const secure = url.startsWith("https:") || (origin === null ? headers.get("x-forwarded-proto") === "https" : origin.startsWith("https:"));
  return { httpOnly: true, sameSite: "Strict", path: basePath || "/", secure } as const;
}
