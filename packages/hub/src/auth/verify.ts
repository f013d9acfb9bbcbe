import { readDeviceCookie } from "./device-cookie.ts";
import type { Devices } from "./devices.ts";
import type { Grant, TokenVerifier } from "./tokens.ts";

/** The grant of whoever shows this token and, from a browser, this `Cookie` header; nothing when they are not known together. */
export type Verify = (token: string, cookieHeader: string | undefined) => Promise<Grant | undefined>;

/** Tokens of files stand alone. A browser's secret is worth nothing without its cookie, nor the cookie without the secret. */
export function verifier(tokens: TokenVerifier, devices: Devices, port: () => number): Verify {
  return async (token, cookieHeader) => {
    const grant = await tokens.verify(token);
    if (grant !== undefined) return grant;
    const device = devices.verify(readDeviceCookie(cookieHeader, port()), token);
    return device && { owner: `device:${device.id}`, scopes: ["desk"], device: { id: device.id, name: device.name } };
  };
}
