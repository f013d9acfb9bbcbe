import { AskboxError } from "@askbox/core";

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];

/** Whether an address to listen on, or the host name in a URL, is loopback. */
export const isLoopbackName = (name: string) => loopbackNames.includes(name) || name === "::1" || /^127(\.\d{1,3}){3}$/.test(name);

/** Where a request comes from. */
export interface Source {
  /** The `Host` header; undefined if it is missing or repeated, since a proxy before the hub may read a repeated one differently. */
  host: string | undefined;
  /** The `Origin` header, which only browsers send. */
  origin: string | undefined;
}

/** Checks that requests use one of the hub's host names and come from its own pages. */
export interface HostCheck {
  /** Throws `FORBIDDEN` if the request used a host name that is not the hub's. */
  checkHost(source: Source): void;
  /** Throws `FORBIDDEN` if it came from a page that may not talk to the hub. */
  checkOrigin(source: Source): void;
  /** Whether a page of another origin may talk to the hub with a token. */
  isGuest(origin: string | undefined): boolean;
  /** Whether this origin is the hub's own, regardless of the request. */
  isOwnPage(origin: string): boolean;
}

export interface HostCheckOptions {
  /** Host names besides loopback. A name without a port matches every port, since there may be a proxy before the hub. */
  allowedHosts: readonly string[];
  /** Allowed origins of other pages. */
  allowedOrigins: readonly string[];
  /** The origin of a mounted hub, if configured. */
  origin(): string | undefined;
  /** The port on which the hub itself listens; undefined for a mounted hub. */
  port(): number | undefined;
  tls: boolean;
}

/**
 * Rejects host names that are not the hub's, to prevent DNS rebinding, and pages of other origins. Loopback names need the hub's own port,
 * or a configured one. A mounted hub does not know its port, so a page on this machine must come from the address that it talks to.
 */
export function hostCheck({ allowedHosts, allowedOrigins, origin: ownOrigin, port, tls }: HostCheckOptions): HostCheck {
  const further = allowedHosts.map((host) => host.toLowerCase());
  const isNamed = (url: URL): boolean => {
    const own = ownOrigin();
    if (own !== undefined && new URL(own).host === url.host) return true;
    // A load balancer on this machine has its own port, which must be configured.
    if (loopbackNames.includes(url.hostname)) return (url.port || defaultPort(url)) === String(port()) || further.includes(url.host);
    return further.includes(url.host) || further.includes(url.hostname);
  };
  const isOwnPage = (origin: string): boolean => {
    // Sandboxed frames and files send "null".
    const url = asUrl(origin, origin.replace(/^https?:\/\//i, ""));
    return url !== undefined && isNamed(url);
  };
  const isGuest = (origin: string | undefined) => origin !== undefined && allowedOrigins.includes(origin);
  return {
    checkHost({ host }) {
      const url = host === undefined ? undefined : asUrl(`${tls ? "https" : "http"}://${host}`, host);
      if (url !== undefined && (isNamed(url) || (port() === undefined && loopbackNames.includes(url.hostname)))) return;
      throw new AskboxError("FORBIDDEN", "The hub does not accept this host name; to allow it, add it to hosts in config.json.");
    },
    checkOrigin({ host, origin }) {
      if (origin === undefined || isGuest(origin) || isOwnPage(origin)) return;
      if (port() === undefined && (origin === `http://${host}` || origin === `https://${host}`)) return;
      throw new AskboxError(
        "FORBIDDEN",
        "Pages of other origins may not talk to the hub; a program that embeds it can allow one with allowedOrigins.",
      );
    },
    isGuest,
    isOwnPage,
  };
}

/** A URL that is exactly scheme, host and port, as written; undefined for anything that a parser would have to normalize. */
function asUrl(text: string, authority: string): URL | undefined {
  if (!/^(\[[0-9a-f:]+\]|[a-z0-9._-]+)(:\d{1,5})?$/i.test(authority)) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.hostname !== authority.toLowerCase().replace(/:\d+$/, "")) return undefined;
  return url.protocol === "http:" || url.protocol === "https:" ? url : undefined;
}

const defaultPort = (url: URL) => (url.protocol === "https:" ? "443" : "80");
