/** What both sides of a browser's login prove their knowledge of its key over. */
export interface LoginProof {
  /** The hub's identity, the same in each of its runs. */
  hub: string;
  /** Where the page was loaded from, such as `http://127.0.0.1:4141`; a proof for one origin is worth nothing at another. */
  origin: string;
  /** The login's id. */
  id: string;
  /** Random, from the page and from the hub; new for each connection. */
  pageNonce: string;
  hubNonce: string;
}

/** The text whose SHA-256 is the key of a login: of one hub alone. */
export const loginKeyText = (hub: string, secret: string): string => JSON.stringify(["askbox login: key", hub, secret]);

/** The text whose HMAC-SHA-256, as lower-case hex, is the proof of this side. The key is the SHA-256 of `loginKeyText`. */
export function loginProofText(side: "hub" | "page", { hub, origin, id, pageNonce, hubNonce }: LoginProof): string {
  return JSON.stringify([`askbox login: ${side}`, hub, origin, id, pageNonce, hubNonce]);
}
