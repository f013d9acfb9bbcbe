import { X509Certificate } from "node:crypto";
import { isLoopbackName } from "./host-check.ts";

/**
 * The origins under which other machines reach the hub; none for a hub that is at home on loopback alone. A hub on loopback with further
 * names has something before it that speaks TLS; one that listens elsewhere is reached directly.
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
 * Where a browser of the hub's own machine goes: the first of the hub's addresses that its certificate is for, so that the browser has nothing to
 * warn of; its own address where it is for none.
 */
export function browserOrigin(own: string, outside: readonly string[], cert: string | undefined): string {
  if (cert === undefined) return own;
  const certificate = new X509Certificate(cert);
  const { hostname, port } = new URL(own);
  const atHome = isLoopbackName(hostname) ? [`https://localhost:${port}`] : outside;
  const covers = (origin: string) => {
    const name = new URL(origin).hostname.replace(/^\[|\]$/g, "");
    return (certificate.checkIP(name) ?? certificate.checkHost(name)) !== undefined;
  };
  return [own, ...atHome].find(covers) ?? own;
}

interface OwnAddress {
  host: string;
  port: number;
  tls: boolean;
  allowedHosts: readonly string[];
}
