import { Hono } from "hono";
import * as z from "zod";
import { authenticate, requireScope } from "../auth/bearer.ts";
import type { Verify } from "../auth/verify.ts";
import { check } from "./body.ts";
import type { RestContext, RestEnv } from "./context.ts";

/** Entries that are read from the store at a time. */
const pageEntries = 20;
/** A page ends with the line that reaches this many characters. */
const pageCharacters = 1_000_000;

export const auditQuerySchema = z.object({
  after: z.coerce.number("must be a whole number").pipe(z.int().min(0)).default(0).describe("`next` of the page before."),
});
export const auditPageSchema = z.object({
  items: z.array(z.string()).describe("Entries, oldest first, each as the line of JSON that its hash covers."),
  next: z.number().optional().describe("Where the next page begins; absent if nothing has been recorded since."),
});

/** `/api/audit`: the record of approvals. Requires a desk's token, like all of the history. */
export function auditRoutes({ broker }: RestContext, verify: Verify): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.use(async (c, next) => {
    requireScope(await authenticate(c.req.raw, verify), "desk");
    await next();
  });
  app.get("/", async (c) => {
    const { after } = check(auditQuerySchema, c.req.query());
    const items: string[] = [];
    let next: number | undefined;
    let characters = 0;
    for (const { line, number } of await broker.audit.list(after, pageEntries)) {
      items.push(line);
      next = number;
      characters += line.length;
      if (characters >= pageCharacters) break;
    }
    return c.json({ items, next });
  });
  return app;
}
