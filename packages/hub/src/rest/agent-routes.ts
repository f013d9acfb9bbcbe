import { AskboxError } from "@askbox/core";
import { quote } from "@askbox/core/schemas";
import { checkAgent } from "@askbox/core/stores";
import { Hono } from "hono";
import { authenticate, requireScope } from "../auth/bearer.ts";
import type { Verify } from "../auth/verify.ts";
import { limitBody, readJson } from "./body.ts";
import type { RestContext, RestEnv } from "./context.ts";

const largestBody = 16_384;

/** Everything under `/api/agents`: the registered agents. Requires a desk's token, since an agent must not vouch for itself. */
export function agentRoutes({ broker }: RestContext, verify: Verify): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.use(async (c, next) => {
    const grant = await authenticate(c.req.raw, verify);
    requireScope(grant, "desk");
    c.set("grant", grant);
    await next();
  });
  app.use(limitBody(largestBody));
  app.get("/", async (c) => c.json({ items: await broker.agents.list() }));
  app.post("/", async (c) => c.json(await broker.agents.add(checkAgent(await readJson(c))), 201));
  app.delete("/:id", async (c) => {
    const id = c.req.param("id");
    if (!(await broker.agents.remove(id))) throw new AskboxError("UNKNOWN_AGENT", `No agent is registered as ${quote(id)}.`);
    return c.body(null, 204);
  });
  return app;
}
