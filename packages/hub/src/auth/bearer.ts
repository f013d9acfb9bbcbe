import { AskboxError } from "@askbox/core";
import type { Context } from "hono";
import type { Grant, Scope } from "./tokens.ts";
import type { Verify } from "./verify.ts";

/** What a request shows of whose it is. */
export interface Credentials {
  authorization: string | undefined;
  cookie: string | undefined;
}

export const credentialsOf = (c: Context): Credentials => ({
  authorization: c.req.header("authorization"),
  cookie: c.req.header("cookie"),
});

/** The grant of an `Authorization: Bearer` header, and of the cookie beside it that a browser's needs. Throws `UNAUTHORIZED`. */
export async function authenticate({ authorization, cookie }: Credentials, verify: Verify): Promise<Grant> {
  const token = /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
  if (token === undefined) throw new AskboxError("UNAUTHORIZED", "Send a token in the header Authorization: Bearer TOKEN.");
  const grant = await verify(token, cookie);
  if (grant !== undefined) return grant;
  throw new AskboxError(
    "UNAUTHORIZED",
    "This hub does not know the token; read it again from hub.json or desk.json, or log the browser in with `askbox open`.",
  );
}

/** Throws `FORBIDDEN` unless the grant has one of the scopes. */
export function requireScope(grant: Grant, ...scopes: readonly Scope[]): void {
  if (scopes.some((scope) => grant.scopes.includes(scope))) return;
  throw new AskboxError("FORBIDDEN", `This token may not do that; it takes one with the scope ${scopes.join(" or ")}.`);
}
