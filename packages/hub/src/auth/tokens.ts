import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** What a token allows: `asker` to ask and to see its own sessions, `desk` to see and settle all of them, `metrics` to read the hub's figures. */
export type Scope = "asker" | "desk" | "metrics";

/** Whose a token is, and what it allows. */
export interface Grant {
  /** The owner of the sessions asked with it; the same for the token's lifetime. */
  owner: string;
  scopes: readonly Scope[];
  /** The token's name, where it has one. */
  name?: string;
  /** The person who acts with it: answers carry this name, whatever the page or program says of itself. */
  person?: string;
  /** Wall time in ms since the epoch; from then on the token is worth nothing, and what runs with it ends. */
  expiresAt?: number;
  /** The agent id that every ask with the token carries, whatever its agent says of itself. */
  agentId?: string;
  /** Each of the token's agents may continue with what another has asked, if it has its id. */
  shared?: boolean;
  /** For bots and gateways: what it sends may name the person who gave the answer. */
  onBehalf?: boolean;
  /** The browser that has logged in with it; its answers carry the surface `web` and this name. */
  device?: { id: string; name: string };
}

export const scopes: readonly Scope[] = Object.freeze(["asker", "desk", "metrics"]);

/** Knows tokens. */
export interface TokenVerifier {
  /** Whose the token is; nothing for one that is not known. What it throws lets nobody in. */
  verify(token: string): Promise<Grant | undefined>;
  /** Subscribes to the owners of revoked grants, so that requests using them end. Returns a function that unsubscribes. */
  onRevoked?(listener: (owner: string) => void): () => void;
}

/** A new token: 256 random bits behind a prefix by which a leaked one is recognised. */
export function createToken(): string {
  return `abx_${randomBytes(32).toString("base64url")}`;
}

/** The form in which a token is kept: SHA-256 as lower-case hex. A salt has nothing to add to 256 random bits. */
export function hashToken(token: string): string {
  return digest(token).toString("hex");
}

/** A verifier over hashed tokens, each compared in constant time. */
export function tokenVerifier(known: readonly { hash: string; grant: Grant }[]): TokenVerifier {
  const grants = known.map(({ hash, grant }) => ({ hash: Buffer.from(hash, "hex"), grant }));
  return {
    async verify(token) {
      const given = digest(token);
      let found: Grant | undefined;
      // No early return: the duration must not reveal which token nearly matched.
      for (const { hash, grant } of grants) if (hash.length === given.length && timingSafeEqual(hash, given)) found = grant;
      return found;
    },
  };
}

const digest = (token: string) => createHash("sha256").update(token).digest();
