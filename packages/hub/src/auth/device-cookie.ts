import { parse, serialize } from "hono/utils/cookie";

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
