import { AskboxError, type Log } from "@askbox/core";
import type { ElicitationStore } from "./store.ts";

/** The platform's `CryptoKey`, which is not a global in every set of types. */
type Key = Awaited<ReturnType<typeof globalThis.crypto.subtle.deriveKey>>;

/** Bytes; the same size as the derived key. */
const minSecretLength = 32;
/** Bytes; what AES-GCM is defined for. */
const ivLength = 12;
const version = "s1.";
const encoder = new TextEncoder();

/**
 * Encrypts everything in a store: AES-256-GCM with a key derived from the secret by HKDF-SHA-256. Each value is bound to its key, so that
 * values cannot be swapped. A value that cannot be decrypted counts as missing, and is logged. Throws `VALIDATION` for a short secret.
 */
export function sealedElicitationStore(store: ElicitationStore, secret: string | Uint8Array, log: Log): ElicitationStore {
  const material = typeof secret === "string" ? encoder.encode(secret) : new Uint8Array(secret);
  if (material.length < minSecretLength) {
    throw new AskboxError(
      "VALIDATION",
      `The secret must have at least ${minSecretLength} bytes; make one with \`openssl rand -base64 32\`.`,
    );
  }
  let key: Promise<Key> | undefined;
  const derived = () => {
    key ??= deriveKey(material);
    return key;
  };

  const open = async (name: string, sealed: string): Promise<string | undefined> => {
    try {
      if (!sealed.startsWith(version)) throw new Error("not sealed");
      const bytes = fromBase64(sealed.slice(version.length));
      const parameters = { name: "AES-GCM", iv: bytes.slice(0, ivLength), additionalData: encoder.encode(name) };
      return new TextDecoder().decode(await crypto.subtle.decrypt(parameters, await derived(), bytes.slice(ivLength)));
    } catch {
      log("warn", "A stored question could not be decrypted and counts as unknown: it was changed, or the secret was", { elicitId: name });
      return undefined;
    }
  };
  const seal = async (name: string, text: string): Promise<string> => {
    const iv = crypto.getRandomValues(new Uint8Array(ivLength));
    const parameters = { name: "AES-GCM", iv, additionalData: encoder.encode(name) };
    const sealed = new Uint8Array(await crypto.subtle.encrypt(parameters, await derived(), encoder.encode(text)));
    return version + toBase64(Uint8Array.from([...iv, ...sealed]));
  };

  return {
    async get(name) {
      const sealed = await store.get(name);
      return sealed === undefined ? undefined : open(name, sealed);
    },
    async replace(name, expected, next, ttl) {
      const sealed = await store.get(name);
      if ((sealed === undefined ? undefined : await open(name, sealed)) !== expected) return false;
      return store.replace(name, sealed, await seal(name, next), ttl);
    },
  };
}

async function deriveKey(material: Uint8Array<ArrayBuffer>): Promise<Key> {
  const root = await crypto.subtle.importKey("raw", material, "HKDF", false, ["deriveKey"]);
  const parameters = { name: "HKDF", hash: "SHA-256", salt: encoder.encode("askbox"), info: encoder.encode("askbox elicitation store 1") };
  return crypto.subtle.deriveKey(parameters, root, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
}

function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
