import { readDeviceCookie } from "./device-cookie.ts";
import type { Device, Devices } from "./devices.ts";
import type { NamedTokens } from "./named-tokens.ts";
import type { Grant, TokenVerifier } from "./tokens.ts";

/** The grant of whoever shows this token and, from a browser, this `Cookie` header; undefined if they are not known together. */
export type Verify = (token: string, cookieHeader: string | undefined) => Promise<Grant | undefined>;

interface VerifierOptions {
  tokens: TokenVerifier;
  named: NamedTokens;
  devices: Devices;
  vault: TokenVerifier | undefined;
  /** What the cookie's name ends with. */
  site: () => number | string;
}

/**
 * Tokens stand alone. A browser's secret is worth nothing without its cookie, nor the cookie without the secret. The vault is asked last, so
 * that it is shown no token of the hub's own.
 */
export function verifier({ tokens, named, devices, vault, site }: VerifierOptions): Verify {
  return async (token, cookieHeader) => {
    const grant = (await tokens.verify(token)) ?? (await named.verify(token));
    if (grant !== undefined) return grant;
    const device = await devices.verify(readDeviceCookie(cookieHeader, site()), token);
    if (device !== undefined) {
      return grantOf(device);
    }
    return vault?.verify(token);
  };
}

/** What a browser that has logged in may do. */
export function grantOf({ id, name, expiresAt }: Device): Grant {
  return { owner: deviceOwner(id), scopes: ["desk"], device: { id, name }, ...(expiresAt !== undefined && { expiresAt }) };
}

/** In whose name a logged-in browser acts. */
export const deviceOwner = (id: string): string => `device:${id}`;
