import { createCipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";

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
