import type { IncomingMessage } from "node:http";
import { AskboxError } from "@askbox/core";

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];

/** Whether an address to listen on, or the name in a URL, is this machine's own. */
export const isLoopbackName = (name: string) => loopbackNames.includes(name) || name === "::1" || /^127(\.\d{1,3}){3}$/.test(name);

/** Whether a request came under a name of the hub and from a page of the hub, or from no page at all. Throws `FORBIDDEN`. */
export type HostCheck = (headers: { host: string | undefined; origin: string | undefined }) => void;

/**
 * Refuses names that are not the hub's, so that no web page can reach it by DNS rebinding, and pages of other origins.
 * Loopback names need the hub's own port, or one that is named with them. `allowedHosts` are further names; one without a port stands for every port, since a proxy may
 * stand before the hub.
 */
export function hostCheck(allowedHosts: readonly string[], port: () => number, tls = false): HostCheck {
  const further = allowedHosts.map((host) => host.toLowerCase());
  const isOurs = (url: URL | undefined): boolean => {
    if (url === undefined) return false;
    // A balancer of this machine has a port of its own, which is then named.
    if (loopbackNames.includes(url.hostname)) return (url.port || defaultPort(url)) === String(port()) || further.includes(url.host);
    return further.includes(url.host) || further.includes(url.hostname);
  };
  return ({ host, origin }) => {
    if (host === undefined || !isOurs(asUrl(`${tls ? "https" : "http"}://${host}`, host))) {
      throw new AskboxError("FORBIDDEN", "The hub is not known under this name; add it to hosts in config.json if it is meant to be.");
    }
    // Only browsers send an Origin; "null" is what a sandboxed frame or a file sends.
    if (origin === undefined) return;
    const url = asUrl(origin, origin.replace(/^https?:\/\//i, ""));
    if (!isOurs(url)) throw new AskboxError("FORBIDDEN", "Pages of other origins may not talk to the hub.");
  };
}

/** A URL that is nothing but scheme, name and port, as it was written; nothing for whatever a parser would bend into shape. */
function asUrl(text: string, authority: string): URL | undefined {
  if (!/^(\[[0-9a-f:]+\]|[a-z0-9._-]+)(:\d{1,5})?$/i.test(authority)) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.hostname !== authority.toLowerCase().replace(/:\d+$/, "")) return undefined;
  return url.protocol === "http:" || url.protocol === "https:" ? url : undefined;
}

const defaultPort = (url: URL) => (url.protocol === "https:" ? "443" : "80");

/** The request's `Host`; none if it names more than one, which a proxy before the hub may read in another way. */
export const hostOf = ({ headers, headersDistinct }: IncomingMessage): string | undefined =>
  headersDistinct["host"]?.length === 1 ? headers.host : undefined;
