import type { IncomingMessage } from "node:http";
import { readDeviceCookie } from "./device-cookie.ts";
import type { Device, Devices } from "./devices.ts";
import type { NamedTokens } from "./named-tokens.ts";
import type { Access, TokenVerifier } from "./tokens.ts";

/** What a request with this token, or without one, may do; undefined if the token is unknown. */
export type Verify = (token: string | undefined, request: Request) => Promise<Access | undefined>;

/**
 * Identifies who sent a request, by any means the embedding program uses. Returns undefined for unknown; if it throws, access is denied.
 * `incoming` is Node's own request if the server passes it on, including what middleware has added; never for a page of another origin.
 */
export type Authenticate = (
  request: Request,
  bindings: { incoming?: IncomingMessage | undefined },
) => Access | undefined | Promise<Access | undefined>;

interface VerifierOptions {
  tokens: TokenVerifier | undefined;
  named: NamedTokens;
  devices: Devices;
  authenticate: ((request: Request) => ReturnType<Authenticate>) | undefined;
  vault: TokenVerifier | undefined;
  /** The browser whose page has signed a request, by the `page.` token that it sent. */
  pageOf(request: Request, token: string): Promise<Device | undefined>;
  /** The suffix of the cookie's name. */
  site: () => number | string;
}

/**
 * Tokens work alone. A browser needs its cookie, and its secret or, from a page that has only the key of that, a signature. The vault is asked last, so that it never sees the hub's own tokens.
 */
export function verifier({ tokens, named, devices, authenticate, vault, site, pageOf }: VerifierOptions): Verify {
  const signer = async (request: Request, token: string, cookie: string | undefined) => {
    const device = cookie === undefined ? undefined : await pageOf(request, token);
    return device !== undefined && devices.hasCookie(device.id, cookie) ? device : undefined;
  };
  return async (token, request) => {
    if (token === undefined) return authenticate?.(request);
    const access = (await tokens?.verify(token)) ?? (await named.verify(token));
    if (access !== undefined) return access;
    const cookie = readDeviceCookie(request.headers.get("cookie"), site());
    const device = token.startsWith("page.") ? await signer(request, token, cookie) : await devices.verify(cookie, token);
    if (device !== undefined) return accessOf(device);
    return (await authenticate?.(request)) ?? vault?.verify(token);
  };
}

/** What a logged-in browser may do. */
export function accessOf({ id, name, person, expiresAt }: Device): Access {
  const device = { id, name };
  return { owner: deviceOwner(id), scopes: ["desk"], device, person, expiresAt };
}

/** The owner that a logged-in browser acts for. */
export const deviceOwner = (id: string): string => `device:${id}`;
