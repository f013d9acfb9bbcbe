/**
 * The key of a login. Over TLS and on this machine it is a CryptoKey that scripts can use but not read; elsewhere browsers have no
 * Web Crypto, so it is the key itself as lower-case hex.
 */
export type LoginKey = CryptoKey | string;

const algorithm = { name: "HMAC", hash: "SHA-256" };
const bytesOf = (text: string) => new TextEncoder().encode(text);

/** The SHA-256 of the text as a key. */
export async function importKey(text: string): Promise<LoginKey> {
  if (!isSecureContext) return (await import("./plain-hmac.ts")).sha256Hex(bytesOf(text));
  return crypto.subtle.importKey("raw", await crypto.subtle.digest("SHA-256", bytesOf(text)), algorithm, false, ["sign"]);
}

/** HMAC-SHA-256 as lower-case hex. */
export async function mac(key: LoginKey, text: string): Promise<string> {
  if (typeof key === "string") return (await import("./plain-hmac.ts")).hmacHex(key, bytesOf(text));
  return hexOf(new Uint8Array(await crypto.subtle.sign(algorithm.name, key, bytesOf(text))));
}

export const hexOf = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
