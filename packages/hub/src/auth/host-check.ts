import { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { AskboxError } from "@askbox/core";
import type { HubAdvice } from "../server/advice.ts";

/** Where a request comes from. */
export interface Source {
  /** The `Host` header; undefined if it is missing or repeated, since a proxy before the hub may read a repeated one differently. */
  host: string | undefined;
  /** The `Origin` header, which only browsers send. */
  origin: string | undefined;
  /** Whether it came over TLS, to the hub or to the proxy before it. */
  isTls: boolean;
  /** Whether a proxy has said so with `X-Forwarded-Proto`, which pages of other origins cannot send. */
  isForwarded: boolean;
}

/** Checks that requests use one of the hub's host names and come from its own pages. */
export interface HostCheck {
  /** Throws `FORBIDDEN` if the request used a host name that is not the hub's. */
  checkHost(source: Source): void;
  /** Throws `FORBIDDEN` if it came from a page that may not talk to the hub. */
  checkOrigin(source: Source): void;
  /** Whether a page of another origin may talk to the hub with a token. */
  isGuest(origin: string | undefined): boolean;
  /** Whether the source's origin is the hub's own. */
  isOwnPage(source: Source): boolean;
}

interface HostCheckOptions {
  /** Host names besides loopback. A name without a port matches every port of a `Host`, since there may be a proxy before the hub. */
  allowedHosts: readonly string[];
  /** Allowed origins of other pages. */
  allowedOrigins: readonly string[];
  /** The origin of a mounted hub, if configured. */
  origin(): string | undefined;
  /** Where the hub itself listens; undefined for a mounted hub. */
  at(): { host: string; port: number } | undefined;
  tls: boolean;
  advice: Pick<HubAdvice, "hosts">;
}

/**
 * Rejects host names that are not the hub's, to prevent DNS rebinding, and pages of other origins. Loopback names need the hub's own port,
 * or a configured one. A page must come from an address at which the hub is known to be reached, with its scheme and port, or from the very
 * address that it talks to: other programs may serve pages under the same name.
 */
export function hostCheck({ allowedHosts, allowedOrigins, origin: ownOrigin, at, tls, advice }: HostCheckOptions): HostCheck {
  const further = allowedHosts.map((host) => host.toLowerCase());
  const isNamed = (url: URL): boolean => {
    const own = ownOrigin();
    if (own !== undefined && new URL(own).host === url.host) return true;
    // A load balancer on this machine has its own port, which must be configured.
    if (loopbackNames.includes(url.hostname)) {
      const listening = at();
      return listening === undefined || (url.port || defaultPort(url)) === String(listening.port) || further.includes(url.host);
    }
    return further.includes(url.host) || further.includes(url.hostname);
  };
  /** The origins at which the hub is known to be reached. A mounted hub is reached like the program around it, probably through a proxy. */
  const knownOrigins = (): (string | undefined)[] => {
    const { host, port } = at() ?? { host: "127.0.0.1", port: undefined };
    const loopback = port === undefined ? [] : loopbackNames.map((name) => new URL(`${tls ? "https" : "http"}://${name}:${port}`).origin);
    const own = ownOrigin();
    const outside = outsideOrigins({ host, port: port ?? Number.NaN, tls, allowedHosts: further });
    return [own === undefined ? undefined : new URL(own).origin, ...loopback, ...outside];
  };
  /** Whether the page is at the address that it talks to. */
  const isSameAddress = (page: URL, { host, isTls, isForwarded }: Source): boolean => {
    const own = ownOrigin();
    // Browsers leave out the usual port, so that http and https look alike in `Host`: what is configured says which of them it is.
    if (own !== undefined && new URL(own).host === page.host) return page.origin === new URL(own).origin;
    const address = asUrl(`${page.protocol}//${host}`, host ?? "");
    if (address?.host !== page.host || !isNamed(address)) return false;
    const listening = at();
    // Under another name, a hub on loopback is behind a proxy, which is expected to speak TLS unless it says otherwise.
    const isBehindTls = !isForwarded && listening !== undefined && isLoopbackName(listening.host) && !loopbackNames.includes(page.hostname);
    return page.protocol === "https:" || !(isTls || isBehindTls);
  };
  const isOwnPage = (source: Source): boolean => {
    const { origin = "" } = source;
    // Sandboxed frames and files send "null".
    const page = asUrl(origin, origin.replace(/^https?:\/\//i, ""));
    return page !== undefined && (knownOrigins().includes(page.origin) || isSameAddress(page, source));
  };
  const isGuest = (origin: string | undefined) => origin !== undefined && allowedOrigins.includes(origin);
  return {
    checkHost({ host }) {
      const url = host === undefined ? undefined : asUrl(`${tls ? "https" : "http"}://${host}`, host);
      if (url !== undefined && isNamed(url)) return;
      throw new AskboxError("FORBIDDEN", `The hub does not accept this host name; to allow it, ${advice.hosts}.`);
    },
    checkOrigin(source) {
      if (source.origin === undefined || isGuest(source.origin) || isOwnPage(source)) return;
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

const loopbackNames: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/** Whether an address to listen on, or the host name in a URL, is loopback. */
const isLoopbackName = (name: string) => loopbackNames.includes(name) || name === "::1" || /^127(\.\d{1,3}){3}$/.test(name);

/**
 * The origins under which other machines reach the hub; empty for a hub that listens on loopback only. A loopback hub with extra host names
 * is behind a proxy that speaks TLS; a hub that listens elsewhere is reached directly.
 */
export function outsideOrigins({ host, port, tls, allowedHosts }: OwnAddress): string[] {
  const behindProxy = isLoopbackName(host);
  const origins = allowedHosts.flatMap((name) => {
    const url = URL.canParse(`http://${name}`) ? new URL(`http://${name}`) : undefined;
    if (url === undefined || isLoopbackName(url.hostname)) return [];
    const ownPort = /:(\d+)$/.exec(name)?.[1];
    if (behindProxy || (ownPort !== undefined && ownPort !== String(port))) return [new URL(`https://${name}`).origin];
    return [new URL(`${tls ? "https" : "http"}://${url.hostname}:${port}`).origin];
  });
  return [...new Set(origins)];
}

/**
 * Where a browser on the hub's own machine goes: the first hub address that the certificate covers, to avoid a browser warning; otherwise
 * the hub's own address.
 */
export function browserOrigin(own: string, outside: readonly string[], cert: string | undefined): string {
  if (cert === undefined) return own;
  const certificate = new X509Certificate(cert);
  const { hostname, port } = new URL(own);
  const atHome = isLoopbackName(hostname) ? [`https://localhost:${port}`] : outside;
  const covers = (origin: string) => {
    const name = new URL(origin).hostname.replace(/^\[|\]$/g, "");
    return (isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)) !== undefined;
  };
  return [own, ...atHome].find(covers) ?? own;
}

interface OwnAddress {
  host: string;
  port: number;
  tls: boolean;
  allowedHosts: readonly string[];
}
