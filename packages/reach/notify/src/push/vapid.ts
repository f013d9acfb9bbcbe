import { createPrivateKey, generateKeyPairSync, type JsonWebKey, type KeyObject, sign } from "node:crypto";
import * as z from "zod";

/** How long a push service may accept an authorization, in seconds; RFC 8292 allows 24 hours. */
const lifetime = 12 * 3_600;
/** Whom a push service can turn to; Apple's refuses an authorization without it. */
const contact = "https://github.com/askbox/askbox";

const coordinate = z.string().regex(/^[\w-]{43}$/);
/** The key pair with which a hub identifies itself to push services, as a JSON Web Key. */
export const vapidKeySchema = z.object({ kty: z.literal("EC"), crv: z.literal("P-256"), x: coordinate, y: coordinate, d: coordinate });
export type VapidKey = z.output<typeof vapidKeySchema>;

export function newVapidKey(): VapidKey {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  // The export pads all three to 32 bytes.
  return vapidKeySchema.parse(privateKey.export({ format: "jwk" }));
}

/** The public key as an uncompressed point, as browsers and push services take it. */
export function publicKeyOf({ x, y }: VapidKey): string {
  return Buffer.concat([Buffer.of(4), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")]).toString("base64url");
}

/** The `Authorization` of a request to a push service (RFC 8292). `now`: wall time in ms. */
export function vapidAuthorization(key: VapidKey, endpoint: string, now: number): string {
  const claims = { aud: new URL(endpoint).origin, exp: Math.floor(now / 1_000) + lifetime, sub: contact };
  const signed = [{ typ: "JWT", alg: "ES256" }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  const signature = sign("sha256", Buffer.from(signed), { key: keyObjectOf(key), dsaEncoding: "ieee-p1363" });
  return `vapid t=${signed}.${signature.toString("base64url")}, k=${publicKeyOf(key)}`;
}

const keyObjectOf = (key: JsonWebKey): KeyObject => createPrivateKey({ key, format: "jwk" });
