/** What both sides of a browser's login use to prove that they know its key. */
export interface LoginProof {
  /** The hub's identity, the same in each of its runs. */
  hub: string;
  /** The origin of the page, such as `http://127.0.0.1:4141`; a proof is valid for one origin only. */
  origin: string;
  /** The login's id. */
  id: string;
  /** Random, from the page and from the hub; new for each connection. */
  pageNonce: string;
  hubNonce: string;
}

/** The text whose SHA-256 is the key of a login, different for each hub. */
export const loginKeyText = (hub: string, secret: string): string => JSON.stringify(["askbox login: key", hub, secret]);

/** The text whose HMAC-SHA-256, as lower-case hex, is this side's proof. The key is the SHA-256 of `loginKeyText`. */
export function loginProofText(side: "hub" | "page", { hub, origin, id, pageNonce, hubNonce }: LoginProof): string {
  return JSON.stringify([`askbox login: ${side}`, hub, origin, id, pageNonce, hubNonce]);
}
