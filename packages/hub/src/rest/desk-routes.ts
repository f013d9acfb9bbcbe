import type { Answerer, Desk, SessionView } from "@askbox/core";
import { answerSetSchema, askBackSchema, draftPatchSchema, statusSchema } from "@askbox/core/schemas";
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
export const delayedSetSchema = answerSetSchema.extend({ delay: z.number().min(0).max(60_000).optional() });
export const cancelSchema = z.object({ reason: z.string().max(10_000).optional() });
export const extendSchema = z.object({ timeout: z.number().nullable() });
export const nothingSchema = z.object({});

/** In whose name a request acts: a browser's device, or else a program, by its token's name where that has one. */
export function answererOf(c: Context<RestEnv>): Answerer {
  const { device, name, person = name } = c.get("grant");
  if (device !== undefined) return { surface: "web", name: device.name };
  return { surface: "api", name: person };
}

/** What a person's tools may do over REST. */
export function deskRoutes({ broker }: RestContext): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const withDesk = async <Result>(c: Context<RestEnv>, use: (desk: Desk) => Promise<Result>): Promise<Result> => {
    if (!c.get("grant").scopes.includes("desk")) refuseAsker();
    const desk = broker.desk(answererOf(c));
    try {
      return await use(desk);
    } finally {
      desk.close();
    }
  };
  const settle = <Schema extends z.ZodType>(
    path: string,
    schema: Schema,
    act: (desk: Desk, id: string, body: z.output<Schema>) => Promise<SessionView>,
  ) =>
    app.post(`/:id/${path}`, (c) =>
      withDesk(c, async (desk) => c.json(await act(desk, c.req.param("id"), check(schema, await readJson(c))))),
    );

  app.get("/", (c) =>
    withDesk(c, async (desk) => {
      const { status, q, ...rest } = check(querySchema, c.req.query());
      return c.json(await desk.list(defined({ ...rest, statuses: status, text: q })));
    }),
  );
  settle("answer", delayedSetSchema, (desk, id, { delay, ...set }) => desk.answer(id, set, defined({ delay })));
  settle("recall", nothingSchema, (desk, id) => desk.recall(id));
  settle("reply", answerSetSchema, (desk, id, set) => desk.reply(id, set));
  settle("ask-back", askBackSchema, (desk, id, message) => desk.askBack(id, message));
  settle("cancel", cancelSchema, (desk, id, { reason }) => desk.cancel(id, defined({ reason })));
  settle("extend", extendSchema, (desk, id, { timeout }) => desk.extend(id, { timeout }));
  app.get("/:id/draft", (c) => withDesk(c, async (desk) => c.json((await desk.getDraft(c.req.param("id"))) ?? null)));
  app.patch("/:id/draft", (c) =>
    withDesk(c, async (desk) => c.json(await desk.saveDraft(c.req.param("id"), check(draftPatchSchema, await readJson(c))))),
  );
  return app;
}

/** `GET /api/sessions/{id}` with a desk's token; `?wait=` seconds, or until it is settled. Hands nothing over. */
export async function getAsDesk(c: Context<RestEnv>, id: string, { broker, platform, closing }: RestContext): Promise<Response> {
  const desk = broker.desk(answererOf(c));
  try {
    return c.json(await waitAsDesk(c, desk, { id, clock: platform.clock, seconds: waitSeconds(c), closing }));
  } finally {
    desk.close();
  }
}

/** The members that have a value. */
type Defined<Members> = { [Name in keyof Members]?: Exclude<Members[Name], undefined> };
function defined<Members extends object>(members: Members): Defined<Members> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<Members>;
}
