/** A source of unguessable bytes. */
export interface RandomSource {
  /** `count` bytes (1–1,024) from a cryptographic generator. */
  bytes(count: number): Uint8Array;
}

/** Creates the identifiers that askbox uses. */
export interface Ids {
  /** A session id: 26 characters of lower-case Crockford base 32, with 128 random bits. It acts as a handle. */
  session(): string;
  /** An id for a question without one: `q_` and 6 base-36 characters, as in the `ask_user` contract. */
  question(): string;
  /** A random UUID (version 4 of RFC 9562), for a tool call. */
  call(): string;
}

const base32 = "0123456789abcdefghjkmnpqrstvwxyz";

/** A session id from 16 bytes. */
export function sessionId(bytes: Iterable<number>): string {
  let bits = 0;
  let value = 0;
  let id = "";
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      id += base32.charAt((value >>> bits) & 31);
      value &= (1 << bits) - 1;
    }
  }
  return id + base32.charAt((value << (5 - bits)) & 31);
}

/** `Ids` over a source of random bytes. */
export function createIds(random: RandomSource): Ids {
  return {
    session: () => sessionId(random.bytes(16)),
    question() {
      let value = 0;
      for (const byte of random.bytes(6)) value = value * 256 + byte;
      return `q_${(value % 36 ** 6).toString(36).padStart(6, "0")}`;
    },
    call() {
      let id = "";
      for (const [index, byte] of random.bytes(16).entries()) {
        if (index === 4 || index === 6 || index === 8 || index === 10) id += "-";
        const marked = index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte;
        id += (marked + 0x100).toString(16).slice(1);
      }
      return id;
    },
  };
}
