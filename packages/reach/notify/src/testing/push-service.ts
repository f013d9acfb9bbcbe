import { createDecipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from "node:crypto";
import type { PushMessage } from "../push/web-push.ts";

/** A browser's side of a subscription. */
export interface BrowserKeys {
  keys: { p256dh: string; auth: string };
  receiver: ECDH;
}

export function newBrowserKeys(): BrowserKeys {
  const receiver = createECDH("prime256v1");
  receiver.generateKeys();
  return { keys: { p256dh: receiver.getPublicKey("base64url"), auth: randomBytes(16).toString("base64url") }, receiver };
}

/** Decrypts a message as a browser does (RFC 8291, section 3). */
export function readPush({ keys, receiver }: BrowserKeys, message: Uint8Array): string {
  const bytes = Buffer.from(message);
  const [salt, idLength] = [bytes.subarray(0, 16), bytes.readUInt8(20)];
  const sender = bytes.subarray(21, 21 + idLength);
  const sealed = bytes.subarray(21 + idLength);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), receiver.getPublicKey(), sender]);
  const key = hkdfSync("sha256", receiver.computeSecret(sender), Buffer.from(keys.auth, "base64url"), info, 32);
  const derive = (what: string, length: number) =>
    Buffer.from(hkdfSync("sha256", Buffer.from(key), salt, `Content-Encoding: ${what}\0`, length));
  const decipher = createDecipheriv("aes-128-gcm", derive("aes128gcm", 16), derive("nonce", 12));
  decipher.setAuthTag(sealed.subarray(-16));
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  return padded.subarray(0, padded.lastIndexOf(2)).toString();
}

/** What a push service gets. */
export interface Delivered {
  url: string;
  headers: Record<string, string>;
  message: PushMessage;
  size: number;
}

type Answer = { status: number; headers?: Record<string, string> } | "hangs" | Error;

/** Push services in process: each browser that subscribed has an address, and gets what is posted there. */
export function pushService() {
  const browsers = new Map<string, BrowserKeys>();
  const delivered: Delivered[] = [];
  /** Answers to the next requests, by address; 201 when there is none. */
  const answers = new Map<string, Answer[]>();
  const asked: string[] = [];
  return {
    delivered,
    /** How often a browser's service was asked, successfully or not. */
    asked: (name: string) => asked.filter((url) => url === `https://push.example/${name}`).length,
    subscribe(name: string) {
      const endpoint = `https://push.example/${name}`;
      const browser = newBrowserKeys();
      browsers.set(endpoint, browser);
      answers.set(endpoint, []);
      return { endpoint, keys: browser.keys };
    },
    /** The next answers to a browser's messages. */
    answer(name: string, ...next: Answer[]) {
      answers.get(`https://push.example/${name}`)?.push(...next);
    },
    of: (name: string) => delivered.filter(({ url }) => url === `https://push.example/${name}`).map(({ message }) => message),
    async fetch(url: string, init: RequestInit): Promise<Response> {
      asked.push(url);
      const browser = browsers.get(url);
      if (browser === undefined) return new Response(null, { status: 404 });
      const { headers, redirect } = new Request(url, { method: "POST", headers: init.headers ?? {}, redirect: init.redirect ?? "follow" });
      if (redirect !== "manual") throw new Error("A redirect would be followed.");
      const answer = answers.get(url)?.shift() ?? { status: 201 };
      if (answer instanceof Error) throw answer;
      if (answer === "hangs") return new Promise((_, reject) => init.signal?.addEventListener("abort", () => reject(init.signal?.reason)));
      const body = init.body as Uint8Array;
      const message: PushMessage = JSON.parse(readPush(browser, body));
      if (answer.status < 300) delivered.push({ url, headers: Object.fromEntries(headers), message, size: body.length });
      return new Response(null, answer);
    },
  };
}
