import { X509Certificate } from "node:crypto";
import { isIP } from "node:net";

export const loopbackNames: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/** Whether an address to listen on, or the host name in a URL, is loopback. */
export const isLoopbackName = (name: string) => loopbackNames.includes(name) || name === "::1" || /^127(\.\d{1,3}){3}$/.test(name);

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
