import { AskboxError } from "@askbox/core";
import type { Grant, Scope, TokenVerifier } from "./tokens.ts";

/** The grant of an `Authorization: Bearer` header. Throws `UNAUTHORIZED`. */
export async function authenticate(header: string | undefined, tokens: TokenVerifier): Promise<Grant> {
  const token = /^Bearer +(\S+)$/i.exec(header ?? "")?.[1];
  if (token === undefined) throw new AskboxError("UNAUTHORIZED", "Send a token in the header Authorization: Bearer TOKEN.");
  const grant = await tokens.verify(token);
  if (grant === undefined)
    throw new AskboxError("UNAUTHORIZED", "This hub does not know the token; read it anew from hub.json or desk.json.");
  return grant;
}

/** Throws `FORBIDDEN` unless the grant has one of the scopes. */
export function requireScope(grant: Grant, ...scopes: readonly Scope[]): void {
  if (scopes.some((scope) => grant.scopes.includes(scope))) return;
  throw new AskboxError("FORBIDDEN", `This token may not do that; it takes one with the scope ${scopes.join(" or ")}.`);
}
