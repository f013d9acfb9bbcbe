import { AskboxError, type Clock, type Digest, type Log } from "@askbox/core";

/**
 * Stores calls that wait for a person's answer between two runs of their tool. Values are opaque strings of a few KB. Several server
 * processes behind one address must share a store. Test an implementation with `elicitationStoreContract` from `@askbox/elicit/testing`.
 */
export interface ElicitationStore {
  /** The value under the key, unless there is none or it has expired. */
  get(key: string): Promise<string | undefined>;
  /**
   * Sets `next` for `ttl` ms (1 or more) if the current value is exactly `expected`; undefined means no value. Resolves with whether it
   * did. If several race with the same `expected`, exactly one succeeds.
   */
  replace(key: string, expected: string | undefined, next: string, ttl: number): Promise<boolean>;
}

/** Far more than people can be asked at once; beyond that the oldest are dropped. */
const maxKept = 10_000;

/** Stores values in this process: for servers that run as a single process, such as on stdio. */
export function memoryElicitationStore(clock: Pick<Clock, "monotonic">): ElicitationStore {
  const kept = new Map<string, { value: string; until: number }>();
  const read = (key: string) => {
    const found = kept.get(key);
    if (found === undefined || found.until > clock.monotonic()) return found?.value;
    kept.delete(key);
    return undefined;
  };
  const makeRoom = () => {
    if (kept.size < maxKept) return;
    for (const key of [...kept.keys()]) read(key);
    for (const key of [...kept.keys()].slice(0, Math.max(0, kept.size - maxKept + 1))) kept.delete(key);
  };
  return {
    get: async (key) => read(key),
    async replace(key, expected, next, ttl) {
      if (read(key) !== expected) return false;
      if (expected === undefined) makeRoom();
      kept.set(key, { value: next, until: clock.monotonic() + ttl });
      return true;
    },
  };
}

/** Operations of nearly every key-value service: a session store, a cache, a table with an expiry column. */
export interface KeyValue {
  get(key: string): Promise<string | null | undefined>;
  /** Sets a value for `ttl` ms, whether or not there is one. */
  set(key: string, value: string, ttl: number): Promise<unknown>;
  /** Sets a value for `ttl` ms unless there is one, atomically; resolves with whether it did (`SET NX PX` in Redis, `add` in memcached). */
  add(key: string, value: string, ttl: number): Promise<boolean>;
}

/** How long a writer may take from its claim to its write, in ms; a writer that crashes in between blocks the key for that long. */
const claimTtl = 30_000;

/**
 * A store over a key-value service without compare-and-set: a writer first claims the right to change a value with `add`. A replaced value
 * never recurs, so a claim is for one value of one key. If the service has compare-and-set, implement the two methods with that instead.
 */
export function keyValueElicitationStore(service: KeyValue, options: { digest: Digest; prefix?: string }): ElicitationStore {
  const { digest, prefix = "askbox:elicit:" } = options;
  const read = async (key: string) => (await service.get(prefix + key)) ?? undefined;
  return {
    get: read,
    async replace(key, expected, next, ttl) {
      if (expected === undefined) return service.add(prefix + key, next, ttl);
      if ((await read(key)) !== expected) return false;
      if (!(await service.add(`${prefix}claim:${key}:${await digest(expected)}`, "1", claimTtl))) return false;
      // It may have been changed, and that claim expired, since it was read.
      if ((await read(key)) !== expected) return false;
      await service.set(prefix + key, next, ttl);
      return true;
    },
  };
}

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
