import type { IncomingMessage } from "node:http";
import { readDeviceCookie } from "./device-cookie.ts";
import type { Device, Devices } from "./devices.ts";
import type { NamedTokens } from "./named-tokens.ts";
import type { Grant, TokenVerifier } from "./tokens.ts";

/** The grant of a request with this token, or without one; undefined if the token is unknown. */
export type Verify = (token: string | undefined, request: Request) => Promise<Grant | undefined>;

/**
 * Identifies who sent a request, by any means the embedding program uses. Returns undefined for unknown; if it throws, access is denied.
 * `incoming` is Node's own request if the server passes it on, including what middleware has added; never for a page of another origin.
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
  /** The suffix of the cookie's name. */
  site: () => number | string;
}

/**
 * Tokens work alone. A browser needs both its secret and its cookie. The vault is asked last, so that it never sees the hub's own tokens.
 */
export function verifier({ tokens, named, devices, authenticate, vault, site }: VerifierOptions): Verify {
  return async (token, request) => {
    if (token === undefined) return authenticate?.(request);
    const grant = (await tokens?.verify(token)) ?? (await named.verify(token));
    if (grant !== undefined) return grant;
    const device = await devices.verify(readDeviceCookie(request.headers.get("cookie"), site()), token, request);
    if (device !== undefined) return grantOf(device);
    return (await authenticate?.(request)) ?? vault?.verify(token);
  };
}

/** What a logged-in browser may do. */
export function grantOf({ id, name, person, expiresAt }: Device): Grant {
  const device = { id, name };
  return { owner: deviceOwner(id), scopes: ["desk"], device, person, expiresAt };
}

/** The owner that a logged-in browser acts for. */
export const deviceOwner = (id: string): string => `device:${id}`;
