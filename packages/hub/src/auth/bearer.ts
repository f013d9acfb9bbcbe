import { AskboxError } from "@askbox/core";
import type { HubAdvice } from "../server/advice.ts";
import type { Access, Scope } from "./tokens.ts";
import type { Verify } from "./verify.ts";

/** What a request may do, by its `Authorization: Bearer` header and, for a browser, its cookie. Throws `UNAUTHORIZED`. */
export async function authenticate(request: Request, verify: Verify, advice: HubAdvice): Promise<Access> {
  const token = /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  const access = await verify(token, request);
  if (access !== undefined) return access;
  if (token === undefined) throw new AskboxError("UNAUTHORIZED", "Send a token in the header Authorization: Bearer TOKEN.");
  throw new AskboxError("UNAUTHORIZED", `This hub does not know the token; ${advice.token}.`);
}

/** Throws `FORBIDDEN` unless it has one of the scopes. */
export function requireScope(access: Access, ...scopes: readonly Scope[]): void {
  if (scopes.some((scope) => access.scopes.includes(scope))) return;
  throw new AskboxError("FORBIDDEN", `This token may not do that; use one with the scope ${scopes.join(" or ")}.`);
}
