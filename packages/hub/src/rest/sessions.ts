import { Hono } from "hono";
import { authenticate } from "../auth/bearer.ts";
import type { Verify } from "../auth/verify.ts";
import { askerRoutes, getAsAsker } from "./asker-routes.ts";
import { limitBody } from "./body.ts";
import type { RestContext, RestEnv } from "./context.ts";
import { deskRoutes, getAsDesk } from "./desk-routes.ts";

/** Everything under `/api/sessions`. */
export function sessionRoutes(context: RestContext, verify: Verify): Hono<RestEnv> {
  const app = new Hono<RestEnv>();

  app.use(async (c, next) => {
    c.set("grant", await authenticate(c.req.raw, verify));
    await next();
  });
  app.use(limitBody(context.limits.requestBytes));
  app.get("/:id", (c) => {
    const get = c.get("grant").scopes.includes("desk") ? getAsDesk : getAsAsker;
    return get(c, c.req.param("id"), context);
  });
  app.route("/", askerRoutes(context));
  app.route("/", deskRoutes(context));
  return app;
}
