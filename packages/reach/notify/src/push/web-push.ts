import {
  createCipheriv,
  createECDH,
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  hkdfSync,
  type JsonWebKey,
  type KeyObject,
  randomBytes,
  sign,
} from "node:crypto";
import { shorten } from "@askbox/terminal-text";
import * as z from "zod";
import { type HandedButtons, pathOf } from "../channels/channel.ts";
import type { Outgoing } from "../channels/post.ts";
import { type NotifyEvent, takesAnswer } from "../event.ts";
import { eventNotice, withWhole } from "../notice.ts";
import type { KeptPush } from "./subscription.ts";

/** A push to a browser: what its service worker gets, encrypted for it alone (RFC 8291), in a request that the push service takes (RFC 8030, RFC 8292). */

/** The size of the only record: a push service takes 4,096 bytes (RFC 8030, section 7.2). */
const recordSize = 4_096;
/** Bytes besides the text: salt, record size, length and key of the sender, the padding's delimiter, and the tag. */
const overhead = 16 + 4 + 1 + 65 + 1 + 16;
/** The maximum size of a message, in bytes. */
export const maxMessage = recordSize - overhead;

/** What a browser's messages are encrypted with, as `PushSubscription.toJSON` has it: base64url of 65 and of 16 bytes. */
export interface PushKeys {
  p256dh: string;
  auth: string;
}

/** For tests: what is random otherwise. */
export interface EncryptOptions {
  salt?: Buffer;
  /** The sender's private key. */
  privateKey?: Buffer;
}

/**
 * Encrypts a message so that only the browser can read it, in the coding `aes128gcm` (RFC 8291, which uses RFC 8188). Throws if the text is
 * longer than {@link maxMessage} bytes, or the browser's key is no point of the curve.
 */
export function encryptPush(
  text: string | Buffer,
  { p256dh, auth }: PushKeys,
  { salt = randomBytes(16), privateKey }: EncryptOptions = {},
): Buffer<ArrayBuffer> {
  const plain = Buffer.from(text);
  if (plain.length > maxMessage) throw new RangeError(`A push has at most ${maxMessage} bytes.`);
  const sender = createECDH("prime256v1");
  if (privateKey === undefined) sender.generateKeys();
  else sender.setPrivateKey(privateKey);
  const [receiver, own] = [Buffer.from(p256dh, "base64url"), sender.getPublicKey()];
  const derive = (secret: Uint8Array, salted: Uint8Array, info: Uint8Array | string, length: number) =>
    Buffer.from(hkdfSync("sha256", secret, salted, info, length));
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), receiver, own]);
  const key = derive(sender.computeSecret(receiver), Buffer.from(auth, "base64url"), info, 32);
  const cipher = createCipheriv(
    "aes-128-gcm",
    derive(key, salt, "Content-Encoding: aes128gcm\0", 16),
    derive(key, salt, "Content-Encoding: nonce\0", 12),
  );
  const size = Buffer.alloc(4);
  size.writeUInt32BE(recordSize);
  // 2 delimits the padding of the last record.
  const sealed = [cipher.update(Buffer.concat([plain, Buffer.of(2)])), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat([salt, size, Buffer.of(own.length), own, ...sealed]);
}

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

/** Seconds that a push service keeps a message for a browser that is offline: as long as the question waits, within these. */
const ttl = { min: 60, usual: 86_400, max: 2_419_200 };

/** What the page's service worker gets, as JSON. */
export interface PushMessage {
  /** The session's id: a later message about it replaces the notification. */
  id: string;
  /** The browser's id, which it sends with a press. */
  to: string;
  title: string;
  body: string;
  /** The path of the page that a tap opens, below the hub's base path. */
  page: string;
  /** Answers that one press gives. */
  buttons?: readonly { label: string; token: string }[];
  /** The question is settled: the notification goes away. */
  ended?: true;
}

export interface MessageParts {
  event: NotifyEvent;
  browser: { id: string };
  showText: boolean;
  handed: HandedButtons | undefined;
}

export function messageOf({ event, browser, showText, handed }: MessageParts): PushMessage {
  const { id } = event.session;
  const isEnd = event.type === "session.settled";
  const { title, body } = eventNotice(event, { showText });
  return {
    id,
    to: browser.id,
    title,
    body: handed === undefined ? body : withWhole(body, event, handed),
    page: pathOf(event),
    ...(handed && { buttons: handed.buttons }),
    ...(isEnd && { ended: true }),
  };
}

/**
 * A request to the browser's push service (RFC 8030), which can't read the message. A message that is still waiting there about the same
 * session is replaced. `now`: wall time in ms.
 */
export function pushRequest(key: VapidKey, { push }: { push: KeptPush }, event: NotifyEvent, message: PushMessage, now: number): Outgoing {
  const isEnd = event.type === "session.settled";
  const { id, deadlineAt } = event.session;
  const left = isEnd || deadlineAt === null ? ttl.usual : Math.ceil((deadlineAt - now) / 1_000);
  return {
    url: push.endpoint,
    headers: {
      authorization: vapidAuthorization(key, push.endpoint, now),
      "content-encoding": "aes128gcm",
      "content-type": "application/octet-stream",
      ttl: String(Math.min(Math.max(left, ttl.min), ttl.max)),
      urgency: takesAnswer(event) ? "high" : "normal",
      topic: createHash("sha256").update(id).digest("base64url").slice(0, 32),
    },
    body: encryptPush(fitting(message), push.keys),
  };
}

/** Only a message without buttons can be too long: an answer belongs to what was shown. */
function fitting(message: PushMessage): string {
  const text = JSON.stringify(message);
  const over = Buffer.byteLength(text) - maxMessage;
  return over <= 0 ? text : JSON.stringify({ ...message, body: shorten(message.body, Math.max(message.body.length - over, 0)) });
}
