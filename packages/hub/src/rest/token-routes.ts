import { AskboxError } from "@askbox/core";
import { quote } from "@askbox/core/schemas";
import { type Context, Hono } from "hono";
import * as z from "zod";
import { authenticate, requireScope } from "../auth/bearer.ts";
import type { NamedTokens } from "../auth/named-tokens.ts";
import type { Grant } from "../auth/tokens.ts";
import type { Verify } from "../auth/verify.ts";
import { check, limitBody, readJson } from "./body.ts";
import type { RestEnv } from "./context.ts";
import { problemOf, respond } from "./problem.ts";

const largestBody = 4_096;
const tenYears = 315_360_000_000;

/** Characters that need no quoting in a shell, a URL or a list; never `.` or `..`, which URLs normalize away. */
const nameSchema = z
  .string()
  .regex(/^[A-Za-z0-9][\w.@-]{0,59}$/, "1 to 60 letters, digits, dots, dashes, underlines or @, the first a letter or digit");

export const tokenWishSchema = z.object({
  name: nameSchema,
  scope: z.enum(["asker", "desk", "metrics"]),
  expiresIn: z.number().min(60_000).max(tenYears).optional().describe("Milliseconds from now; if omitted, the token does not expire."),
  agentId: z.string().min(1).max(200).optional().describe("The agent id of every ask with the token; for the scope asker."),
  shared: z.boolean().optional().describe("All agents with this token may resume each other's sessions by id; for the scope asker."),
  onBehalf: z.boolean().optional().describe("Its requests may name the person who gave the answer, as `by.name`; for the scope desk."),
});
export const namedTokenSchema = z.object({
  id: z.string(),
  name: z.string(),
  scope: z.enum(["asker", "desk", "metrics"]),
  agentId: z.string().optional(),
  shared: z.literal(true).optional(),
  onBehalf: z.literal(true).optional(),
  createdAt: z.number(),
  expiresAt: z.number().nullable(),
  lastUsedAt: z.number().nullable().describe("Rounded down to 10 minutes."),
  expired: z.boolean(),
});
export const madeTokenSchema = namedTokenSchema.extend({ token: z.string().describe("Shown this once.") });

/** Everything under `/api/tokens`: a desk creates, lists and revokes tokens. */
export function tokenRoutes(tokens: NamedTokens, verify: Verify): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const asDesk = async (c: Context<RestEnv>): Promise<Grant> => {
    const grant = await authenticate(c.req.raw, verify);
    requireScope(grant, "desk");
    c.set("grant", grant);
    return grant;
  };

  app.use(limitBody(largestBody));
  app.get("/", async (c) => {
    await asDesk(c);
    return c.json({ items: await tokens.list() });
  });
  app.post("/", async (c) => {
    const { device, name, owner, expiresAt } = await asDesk(c);
    if (device !== undefined) {
      throw new AskboxError("FORBIDDEN", "A browser cannot create tokens; run `askbox token create` on the hub's machine.");
    }
    const guarantor = name === undefined ? undefined : { owner, expiresAt };
    const wish = check(tokenWishSchema, await readJson(c));
    return c.json(await tokens.create(wish, guarantor), 201);
  });
  app.delete("/:id", async (c) => {
    await asDesk(c);
    const id = c.req.param("id");
    const revoked = await tokens.revoke(id);
    if (revoked !== undefined) return c.json(revoked);
    const sentence = `There is no token ${quote(id)}; \`askbox token list\` lists the existing ones.`;
    return respond(problemOf(new AskboxError("VALIDATION", sentence), 404));
  });
  return app;
}
