import { AskboxError } from "@askbox/core";

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];

/** Whether an address to listen on, or the name in a URL, is this machine's own. */
export const isLoopbackName = (name: string) => loopbackNames.includes(name) || name === "::1" || /^127(\.\d{1,3}){3}$/.test(name);

/** Where a request comes from. */
export interface Source {
  /** The `Host` header; undefined if there is none, or more than one, which a proxy before the hub may read in another way. */
  host: string | undefined;
  /** The `Origin` header, which only browsers send. */
  origin: string | undefined;
}

/** Whether requests come under a name of the hub, and from its own pages. */
export interface HostCheck {
  /** Throws `FORBIDDEN` when the request came under a name that is not the hub's. */
  checkHost(source: Source): void;
  /** Throws `FORBIDDEN` when it came from a page that may not talk to the hub. */
  checkOrigin(source: Source): void;
  /** Whether a page elsewhere may talk to the hub all the same, with a token. */
  isGuest(origin: string | undefined): boolean;
  /** Whether a page of this origin is the hub's own, whatever a request says. */
  isOwnPage(origin: string): boolean;
}

export interface HostCheckOptions {
  /** Names besides loopback; one without a port stands for every port, since a proxy may stand before the hub. */
  allowedHosts: readonly string[];
  /** Origins of pages elsewhere. */
  allowedOrigins: readonly string[];
  /** The origin of a hub that is mounted, where its program has said it. */
  origin(): string | undefined;
  /** The port on which the hub listens itself; undefined for one that is mounted. */
  port(): number | undefined;
  tls: boolean;
}

/**
 * Refuses names that are not the hub's, so that no web page can reach it by DNS rebinding, and pages of other origins. Loopback names need the hub's own port, or one
 * that is named with them. A mounted hub does not know its port: a page of this machine must come from the address that it talks to.
 */
export function hostCheck({ allowedHosts, allowedOrigins, origin: ownOrigin, port, tls }: HostCheckOptions): HostCheck {
  const further = allowedHosts.map((host) => host.toLowerCase());
  const isNamed = (url: URL): boolean => {
    const own = ownOrigin();
    if (own !== undefined && new URL(own).host === url.host) return true;
    // A balancer of this machine has a port of its own, which is then named.
    if (loopbackNames.includes(url.hostname)) return (url.port || defaultPort(url)) === String(port()) || further.includes(url.host);
    return further.includes(url.host) || further.includes(url.hostname);
  };
  const isOwnPage = (origin: string): boolean => {
    // "null" is what a sandboxed frame or a file sends.
    const url = asUrl(origin, origin.replace(/^https?:\/\//i, ""));
    return url !== undefined && isNamed(url);
  };
  const isGuest = (origin: string | undefined) => origin !== undefined && allowedOrigins.includes(origin);
  return {
    checkHost({ host }) {
      const url = host === undefined ? undefined : asUrl(`${tls ? "https" : "http"}://${host}`, host);
      if (url !== undefined && (isNamed(url) || (port() === undefined && loopbackNames.includes(url.hostname)))) return;
      throw new AskboxError("FORBIDDEN", "The hub is not known under this name; add it to hosts in config.json if it is meant to be.");
    },
    checkOrigin({ host, origin }) {
      if (origin === undefined || isGuest(origin) || isOwnPage(origin)) return;
      if (port() === undefined && (origin === `http://${host}` || origin === `https://${host}`)) return;
      throw new AskboxError(
        "FORBIDDEN",
        "Pages of other origins may not talk to the hub; a program that embeds it can admit one with allowedOrigins.",
      );
    },
    isGuest,
    isOwnPage,
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
