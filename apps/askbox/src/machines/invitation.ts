import { usageError } from "../usage.ts";

/** What one machine gives another to join by. */
export interface Invitation {
  /** Where the hub is: `https://box.example:4141`, or `unix:/path/of/a/socket`. */
  address: string;
  /** Other ways to it, in the order in which they are tried. */
  also?: readonly string[];
  /** Works once, for 15 minutes. */
  code: string;
  /** The SHA-256 of the hub's certificate, if it has one that no CA vouches for. */
  fingerprint?: string | undefined;
}

const codeText = /^[\w-]{10,100}$/;
const fingerprintText = /^[0-9A-F]{2}(:[0-9A-F]{2}){31}$/;

/** An invitation in one line: the hub's address, and the code behind a #, like a login link. */
export const invitation = {
  write({ address, also = [], code, fingerprint }: Invitation): string {
    const ways = also.map((way) => `&or=${encodeURIComponent(way)}`).join("");
    return `${address}#join=${code}${fingerprint === undefined ? "" : `&pin=${fingerprint.replaceAll(":", "")}`}${ways}`;
  },
  /** Throws a usage error for anything else. */
  read(text: string): Invitation {
    const at = text.indexOf("#");
    const parts = new URLSearchParams(text.slice(at + 1));
    const [code, pin] = [parts.get("join") ?? "", parts.get("pin")];
    const fingerprint = pin === null ? undefined : pin.toUpperCase().replaceAll(/(..)(?=.)/g, "$1:");
    if (at === -1 || !codeText.test(code) || (fingerprint !== undefined && !fingerprintText.test(fingerprint))) {
      throw usageError("This is no invitation; copy the whole line that `askbox invite` printed, in quotes.");
    }
    const [address, ...also] = [text.slice(0, at), ...parts.getAll("or").slice(0, 5)].map((way) =>
      /^https?:/.test(way) && way.endsWith("/") ? way.slice(0, -1) : way,
    );
    return { address: address ?? "", also, code, ...(fingerprint !== undefined && { fingerprint }) };
  },
};
