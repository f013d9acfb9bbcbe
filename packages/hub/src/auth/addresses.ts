import { isLoopbackName } from "./host-check.ts";

/**
 * The origins under which other machines reach the hub; none for a hub that is at home on loopback alone. A hub on loopback with further
 * names has something before it that speaks TLS; one that listens elsewhere is reached directly.
 */
export function outsideOrigins({ host, port, allowedHosts }: { host: string; port: number; allowedHosts: readonly string[] }): string[] {
  const behindProxy = isLoopbackName(host);
  const origins = allowedHosts.flatMap((name) => {
    const url = URL.canParse(`http://${name}`) ? new URL(`http://${name}`) : undefined;
    if (url === undefined || isLoopbackName(url.hostname)) return [];
    const ownPort = /:(\d+)$/.exec(name)?.[1];
    if (behindProxy || (ownPort !== undefined && ownPort !== String(port))) return [new URL(`https://${name}`).origin];
    return [new URL(`http://${url.hostname}:${port}`).origin];
  });
  return [...new Set(origins)];
}
