import type { IncomingMessage } from "node:http";
import { readDeviceCookie } from "./device-cookie.ts";
import type { Device, Devices } from "./devices.ts";
import type { NamedTokens } from "./named-tokens.ts";
import type { Grant, TokenVerifier } from "./tokens.ts";

/** The grant of a request that shows this token, or none; undefined if nobody knows it. */
export type Verify = (token: string | undefined, request: Request) => Promise<Grant | undefined>;

/**
 * Says whose a request is, by whatever the program that embeds the hub knows people by. Undefined for nobody; what it throws lets nobody in.
 * `incoming` is Node's own request where the server says so, with what middleware has put on it.
 */
export type Authenticate = (
  request: Request,
  bindings: { incoming?: IncomingMessage | undefined },
) => Grant | undefined | Promise<Grant | undefined>;

interface VerifierOptions {
  tokens: TokenVerifier | undefined;
  named: NamedTokens;
  devices: Devices;
  authenticate: ((request: Request) => ReturnType<Authenticate>) | undefined;
  vault: TokenVerifier | undefined;
  /** What the cookie's name ends with. */
  site: () => number | string;
}

/**
 * Tokens stand alone. A browser's secret is worth nothing without its cookie, nor the cookie without the secret. The vault is asked last, so
 * that it is shown no token of the hub's own.
 */
export function verifier({ tokens, named, devices, authenticate, vault, site }: VerifierOptions): Verify {
  return async (token, request) => {
    if (token === undefined) return authenticate?.(request);
    const grant = (await tokens?.verify(token)) ?? (await named.verify(token));
    if (grant !== undefined) return grant;
    const device = await devices.verify(readDeviceCookie(request.headers.get("cookie"), site()), token);
    if (device !== undefined) return grantOf(device);
    return (await authenticate?.(request)) ?? vault?.verify(token);
  };
}

/** What a browser that has logged in may do. */
export function grantOf({ id, name, expiresAt }: Device): Grant {
  return { owner: deviceOwner(id), scopes: ["desk"], device: { id, name }, ...(expiresAt !== undefined && { expiresAt }) };
}

/** In whose name a logged-in browser acts. */
export const deviceOwner = (id: string): string => `device:${id}`;
