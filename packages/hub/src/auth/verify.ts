// From a request to what it may do: the token in its header, a browser's cookie with its secret, the program around the hub, and last the
// vault. What is unknown is `UNAUTHORIZED`, and each further wrong token from an address takes longer; a scope that is missing is `FORBIDDEN`.

import type { IncomingMessage } from "node:http";
import { AskboxError, type Clock } from "@askbox/core";
import type { HubAdvice } from "../server/advice.ts";
import type { Access, Scope, TokenVerifier } from "./access.ts";
import { type Device, type Devices, readDeviceCookie } from "./devices.ts";
import type { NamedTokens } from "./named-tokens.ts";

/** What a request may do, by its `Authorization: Bearer` header and, for a browser, its cookie. Throws `UNAUTHORIZED`. */
export async function authenticate(request: Request, verify: Verify, advice: HubAdvice): Promise<Access> {
  const token = /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  const access = await verify(token, request);
  if (access !== undefined) return access;
  if (token === undefined) throw new AskboxError("UNAUTHORIZED", "Send a token in the header Authorization: Bearer TOKEN.");
  throw new AskboxError("UNAUTHORIZED", `This hub does not know the token; ${advice.token}.`);
}

/** Throws `FORBIDDEN` unless it has one of the scopes. */
export function requireScope(access: Access, ...scopes: readonly Scope[]): void {
  if (scopes.some((scope) => access.scopes.includes(scope))) return;
  throw new AskboxError("FORBIDDEN", `This token may not do that; use one with the scope ${scopes.join(" or ")}.`);
}

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

const minute = 60_000;
/** Wrong tokens per minute and address without a delay: many agents may start with an outdated one. */
const free = 20;
/** How much longer each further one takes, and the most it takes, in ms. */
const step = 50;
const longest = 1_000;
/** The maximum number of addresses that are remembered; the ones that were wrong least recently are forgotten. */
const maxAddresses = 10_000;

/**
 * Slows wrong tokens by the address that they come from. A valid token is never delayed, whatever others send from the same address.
 */
export function slowWrongTokens(clock: Clock, verify: Verify, addressOf: (request: Request) => string): Verify {
  const byAddress = new Map<string, { count: number; since: number }>();
  const delayOf = (address: string): number => {
    const now = clock.monotonic();
    const known = byAddress.get(address);
    const { count, since } = known === undefined || now - known.since >= minute ? { count: 0, since: now } : known;
    byAddress.delete(address);
    byAddress.set(address, { count: count + 1, since });
    const [oldest] = byAddress.keys();
    if (byAddress.size > maxAddresses && oldest !== undefined) byAddress.delete(oldest);
    return Math.min(longest, Math.max(0, count + 1 - free) * step);
  };
  return async (token, request) => {
    // Read before: a connection that was closed has none.
    const address = addressOf(request);
    const access = await verify(token, request);
    if (access !== undefined || token === undefined) return access;
    const delay = delayOf(address);
    if (delay > 0) await new Promise<void>((resolve) => void clock.setTimer(delay, resolve));
    return undefined;
  };
}
