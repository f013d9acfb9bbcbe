import { createECDH } from "node:crypto";
import { lookup as systemLookup } from "node:dns";
import type { IncomingMessage } from "node:http";
import { Agent, type AgentOptions, globalAgent, request } from "node:https";
import { BlockList, isIP, type LookupFunction } from "node:net";
import * as z from "zod";
import type { Fetch } from "../channels/post.ts";

/**
 * Where a browser gets its pushes. A page gives the address, so it is not to be trusted: it may not lead to this machine or its network, when
 * it is given, and again, by what its name resolves to, when something is sent there.
 */

/** Characters; those of push services have 100 to 600. */
const maxEndpoint = 2_000;

const bytesOf = (text: string) => Buffer.from(text, "base64url");

/** Where a browser gets its messages, and how they are encrypted: what `PushSubscription.toJSON` gives. */
export const subscriptionSchema = z.object({
  endpoint: z.string().max(maxEndpoint),
  keys: z.object({
    p256dh: z
      .string()
      .regex(/^[\w-]{87}=?$/)
      .refine(isPoint, "must be a point of P-256"),
    auth: z.string().regex(/^[\w-]{22}={0,2}$/),
  }),
});

/** What is kept about a browser that gets pushes. */
export const keptPushSchema = subscriptionSchema.extend({
  /** Whether an action may be allowed once from its notifications. */
  allow: z.boolean().default(false),
});
export type KeptPush = z.output<typeof keptPushSchema>;

function isPoint(text: string): boolean {
  try {
    const any = createECDH("prime256v1");
    any.generateKeys();
    any.computeSecret(bytesOf(text));
    return true;
  } catch {
    return false;
  }
}

/** Addresses of this machine, its network, and no network at all (RFC 6890). */
const inside = new BlockList();
for (const [net, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
] as const) {
  inside.addSubnet(net, prefix, "ipv4");
  // The same for a network that has only IPv6, and reaches all of IPv4 by these (RFC 6052).
  inside.addSubnet(`64:ff9b::${net}`, 96 + prefix, "ipv6");
}
for (const [net, prefix] of [
  ["::", 96],
  ["::ffff:0:0:0", 96],
  ["64:ff9b:1::", 48],
  ["2001::", 32],
  ["2002::", 16],
  ["fc00::", 7],
  ["fe80::", 9],
  ["ff00::", 8],
] as const)
  inside.addSubnet(net, prefix, "ipv6");

/** Whether an IP address is one of this machine, its network, or none. */
const isInsideAddress = (address: string): boolean => inside.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");

/** Names that lead to this machine or its network. */
const insideName = /^[^.]+$|\.(localhost|local|internal|lan|home|intranet|home\.arpa)$/;

/**
 * What is wrong with the address of a push service, which a browser's own page names; undefined if it may be used. Push services are public,
 * so an address of this machine or network is refused, unless its host is `allowed`.
 */
export function endpointProblem(endpoint: string, allowed: readonly string[] = []): string | undefined {
  if (endpoint.length > maxEndpoint) return "is too long";
  if (!URL.canParse(endpoint)) return "is no URL";
  const { protocol, host: at, hostname, username, password } = new URL(endpoint);
  if (protocol !== "https:") return "is not https";
  if (username !== "" || password !== "") return "has a password";
  if (allowed.includes(at)) return undefined;
  const host = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  const isInside = isIP(host) === 0 ? insideName.test(host) : isInsideAddress(host);
  return isInside ? "leads to this machine or its network" : undefined;
}

export interface PublicFetchOptions {
  lookup?: LookupFunction | undefined;
  isInside?: ((address: string) => boolean) | undefined;
  /** Further options of TLS. */
  tls?: AgentOptions | undefined;
  /** Hosts, with their port, that may be inside. */
  allowed?: readonly string[] | undefined;
  /** How much of a response's text is read, in characters; default 0. */
  longest?: number | undefined;
  /** Goes past a proxy, which would look names up itself. */
  isDirect?: boolean | undefined;
}

/**
 * Posts to addresses that a browser's page has named, and to nothing inside: the address that a name leads to is checked when it is connected
 * to, since a name can lead elsewhere each time. Follows no redirect, and reads no body of a response. A proxy that Node is told to use looks
 * names up itself.
 */
export function publicFetch(options: PublicFetchOptions = {}): Fetch {
  const { lookup = systemLookup, isInside = isInsideAddress, tls, allowed = [], longest = 0, isDirect = false } = options;
  const usesProxy = Reflect.get(globalAgent.options, "proxyEnv") !== undefined || process.env["NODE_USE_ENV_PROXY"] === "1";
  if (usesProxy && !isDirect) return (url, init) => fetch(url, init);
  const agent = new Agent({ ...tls, lookup: outside(lookup, isInside) });
  const anywhere = new Agent({ ...tls, lookup });
  return (url, { headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const problem = endpointProblem(url, allowed);
      if (problem !== undefined) return reject(new Error(`its address ${problem}`));
      const options = {
        method: "POST",
        agent: allowed.includes(new URL(url).host) ? anywhere : agent,
        headers: headers as Record<string, string>,
        ...(signal && { signal }),
      };
      request(url, options, async (message) => {
        const text = await beginning(message, longest);
        const { statusCode: status = 0, headers: answered } = message;
        const after = answered["retry-after"];
        if (status < 200 || status > 599) return reject(new Error(`it answered ${status}`));
        resolve(new Response(text || null, { status, ...(after !== undefined && { headers: { "retry-after": after } }) }));
      })
        .on("error", (cause) => reject(new Error("The request failed.", { cause })))
        .end(body);
    });
}

/** The first characters of a response; whatever breaks off is what there is. */
async function beginning(message: IncomingMessage, longest: number): Promise<string> {
  let text = "";
  const { statusCode = 0 } = message;
  // Some others may have no body.
  const isRead = longest > 0 && statusCode >= 200 && statusCode < 204;
  try {
    for await (const part of isRead ? message.setEncoding("utf8") : []) {
      text += part;
      if (text.length >= longest) break;
    }
  } catch {}
  message.destroy();
  return text.slice(0, longest);
}

/** A name's addresses without those inside; an error if there are no others. */
function outside(lookup: LookupFunction, isInside: (address: string) => boolean): LookupFunction {
  return (name, options, done) =>
    lookup(name, { ...options, all: true }, (error, found) => {
      if (error !== null) return done(error, []);
      const addresses = typeof found === "string" ? [{ address: found, family: found.includes(":") ? 6 : 4 }] : found;
      const [first, ...rest] = addresses.filter(({ address }) => !isInside(address));
      if (first === undefined) return done(new Error("its name leads to this machine or its network"), []);
      if (options.all) done(null, [first, ...rest]);
      else done(null, first.address, first.family);
    });
}
