import { lookup as systemLookup } from "node:dns";
import { Agent, type AgentOptions, globalAgent, request } from "node:https";
import type { LookupFunction } from "node:net";
import type { Fetch } from "../channels/post.ts";
import { endpointProblem, isInsideAddress } from "./subscription.ts";

export interface PublicFetchOptions {
  lookup?: LookupFunction | undefined;
  isInside?: ((address: string) => boolean) | undefined;
  /** Further options of TLS. */
  tls?: AgentOptions | undefined;
}

/**
 * Posts to addresses that a browser's page has named, and to nothing inside: the address that a name leads to is checked when it is connected
 * to, since a name can lead elsewhere each time. Follows no redirect, and reads no body of a response. A proxy that Node is told to use looks
 * names up itself.
 */
export function publicFetch({ lookup = systemLookup, isInside = isInsideAddress, tls }: PublicFetchOptions = {}): Fetch {
  const usesProxy = Reflect.get(globalAgent.options, "proxyEnv") !== undefined || process.env["NODE_USE_ENV_PROXY"] === "1";
  if (usesProxy) return (url, init) => fetch(url, init);
  const agent = new Agent({ ...tls, lookup: outside(lookup, isInside) });
  return (url, { headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const problem = endpointProblem(url);
      if (problem !== undefined) return reject(new Error(`its address ${problem}`));
      const options = { method: "POST", agent, headers: headers as Record<string, string>, ...(signal && { signal }) };
      request(url, options, (message) => {
        message.destroy();
        const { statusCode = 0, headers: answered } = message;
        const after = answered["retry-after"];
        if (statusCode < 200 || statusCode > 599) return reject(new Error(`it answered ${statusCode}`));
        resolve(new Response(null, { status: statusCode, ...(after !== undefined && { headers: { "retry-after": after } }) }));
      })
        .on("error", (cause) => reject(new Error("The request failed.", { cause })))
        .end(body);
    });
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
