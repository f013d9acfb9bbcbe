import { AskboxError } from "@askbox/core";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { authenticate } from "../auth/bearer.ts";
import type { TokenVerifier } from "../auth/tokens.ts";
import { askerRoutes, getAsAsker } from "./asker-routes.ts";
import type { RestContext, RestEnv } from "./context.ts";
import { deskRoutes, getAsDesk } from "./desk-routes.ts";

/** Everything under `/api/sessions`. */
export function sessionRoutes(context: RestContext, tokens: TokenVerifier): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const maxSize = context.limits.requestBytes;

  app.use(async (c, next) => {
    c.set("grant", await authenticate(c.req.header("authorization"), tokens));
    await next();
  });
  app.use(
    bodyLimit({
      maxSize,
      onError: () => {
        throw new AskboxError("PAYLOAD_TOO_LARGE", `A request may have at most ${maxSize} bytes; shorten it.`);
      },
    }),
  );
  app.get("/:id", (c) => {
    const get = c.get("grant").scopes.includes("desk") ? getAsDesk : getAsAsker;
    return get(c, c.req.param("id"), context);
  });
  app.route("/", askerRoutes(context));
  app.route("/", deskRoutes(context));
  return app;
}
