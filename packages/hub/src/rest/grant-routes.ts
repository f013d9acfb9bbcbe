import { AskboxError } from "@askbox/core";
import { grantWishSchema, prefixGrant } from "@askbox/core/grants";
import { quote } from "@askbox/core/schemas";
import { Hono } from "hono";
import { authenticate, requireScope } from "../auth/bearer.ts";
import type { Verify } from "../auth/verify.ts";
import { check, limitBody, readJson } from "./body.ts";
import type { RestContext, RestEnv } from "./context.ts";
import { answererOf } from "./desk-routes.ts";
import { problemOf, respond } from "./problem.ts";

const largestBody = 16_384;

/**
 * Everything under `/api/grants`: what people have allowed in advance. Requires a desk's token: an agent must neither create nor see a
 * grant.
 */
export function grantRoutes({ broker, platform }: RestContext, verify: Verify): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.use(async (c, next) => {
    const grant = await authenticate(c.req.raw, verify);
    requireScope(grant, "desk");
    c.set("grant", grant);
    await next();
  });
  app.use(limitBody(largestBody));
  app.get("/", async (c) => c.json({ items: await broker.grants.list() }));
  app.post("/", async (c) => {
    const wish = check(grantWishSchema, await readJson(c));
    const made = prefixGrant(wish, { id: platform.ids.session(), by: answererOf(c), now: platform.clock.now() });
    return c.json(await broker.grants.add(made), 201);
  });
  app.delete("/:id", async (c) => {
    const id = c.req.param("id");
    if (await broker.grants.remove(id)) return c.body(null, 204);
    return respond(
      problemOf(new AskboxError("VALIDATION", `There is no grant ${quote(id)}; \`askbox grants list\` lists the existing ones.`), 404),
    );
  });
  return app;
}
