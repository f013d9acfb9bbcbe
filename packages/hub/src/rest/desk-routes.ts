import type { Answerer, Desk, SessionView } from "@askbox/core";
import { answerSetSchema, askBackSchema, draftPatchSchema, statusSchema } from "@askbox/core/schemas";
import { onBehalf, onlyForItself } from "@askbox/wire";
import { type Context, Hono } from "hono";
import * as z from "zod";
import { refuseAsker } from "./asker-routes.ts";
import { check, readJson } from "./body.ts";
import type { RestContext, RestEnv } from "./context.ts";
import { waitAsDesk, waitSeconds } from "./wait.ts";

export const querySchema = z.object({
  status: z
    .string()
    .transform((text) => text.split(","))
    .pipe(z.array(statusSchema))
    .optional(),
  q: z.string().optional(),
  project: z.string().optional(),
  agentId: z.string().optional(),
  limit: z.coerce.number("must be a whole number").pipe(z.int().min(1).max(1_000)).optional(),
  cursor: z.string().optional(),
  order: z.enum(["newest", "oldest"]).optional(),
});
export const delayedSetSchema = answerSetSchema.extend({ delay: z.number().min(0).max(60_000).optional(), ...onBehalf });
export const replySchema = answerSetSchema.extend(onBehalf);
export const askBackRequestSchema = askBackSchema.extend(onBehalf);
export const cancelSchema = z.object({ reason: z.string().max(10_000).optional(), ...onBehalf });
export const extendSchema = z.object({ timeout: z.number().nullable(), ...onBehalf });
export const nothingSchema = z.object(onBehalf);

/** Who a request acts for: a browser's device, or a program, named after its token if that has a name. */
export function answererOf(c: Context<RestEnv>, by?: { name: string }): Answerer {
  const { device, name, person = device?.name ?? name, onBehalf: mayName } = c.get("grant");
  if (by !== undefined && !mayName) throw onlyForItself();
  return { surface: device === undefined ? "api" : "web", name: by?.name ?? person };
}

function requireDesk(c: Context<RestEnv>): void {
  if (!c.get("grant").scopes.includes("desk")) refuseAsker();
}

/** What a person's tools can do over REST. */
export function deskRoutes({ broker }: RestContext): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const withDesk = async <Result>(c: Context<RestEnv>, use: (desk: Desk) => Promise<Result>, by?: { name: string }): Promise<Result> => {
    requireDesk(c);
    const desk = broker.desk(answererOf(c, by));
    try {
      return await use(desk);
    } finally {
      desk.close();
    }
  };
  const settle = <Schema extends z.ZodType<{ by?: { name: string } | undefined }>>(
    path: string,
    schema: Schema,
    act: (desk: Desk, id: string, body: Omit<z.output<Schema>, "by">) => Promise<SessionView>,
  ) =>
    app.post(`/:id/${path}`, async (c) => {
      // Before the body is read.
      requireDesk(c);
      const { by, ...body } = check(schema, await readJson(c, { exact: true }));
      return withDesk(c, async (desk) => c.json(await act(desk, c.req.param("id"), body)), by);
    });

  app.get("/", (c) =>
    withDesk(c, async (desk) => {
      const { status, q, ...rest } = check(querySchema, c.req.query());
      return c.json(await desk.list({ ...rest, statuses: status, text: q }));
    }),
  );
  settle("answer", delayedSetSchema, (desk, id, { delay, ...set }) => desk.answer(id, set, { delay }));
  settle("recall", nothingSchema, (desk, id) => desk.recall(id));
  settle("reply", replySchema, (desk, id, set) => desk.reply(id, set));
  settle("ask-back", askBackRequestSchema, (desk, id, message) => desk.askBack(id, message));
  settle("cancel", cancelSchema, (desk, id, body) => desk.cancel(id, body));
  settle("extend", extendSchema, (desk, id, body) => desk.extend(id, body));
  app.get("/:id/draft", (c) => withDesk(c, async (desk) => c.json((await desk.getDraft(c.req.param("id"))) ?? null)));
  app.patch("/:id/draft", (c) =>
    withDesk(c, async (desk) => c.json(await desk.saveDraft(c.req.param("id"), check(draftPatchSchema, await readJson(c))))),
  );
  return app;
}

/** `GET /api/sessions/{id}` with a desk's token; waits `?wait=` seconds, or until it is settled. Delivers nothing. */
export async function getAsDesk(c: Context<RestEnv>, id: string, { broker, platform, closing }: RestContext): Promise<Response> {
  const desk = broker.desk(answererOf(c));
  try {
    return c.json(await waitAsDesk(c, desk, { id, clock: platform.clock, seconds: waitSeconds(c), closing }));
  } finally {
    desk.close();
  }
}
