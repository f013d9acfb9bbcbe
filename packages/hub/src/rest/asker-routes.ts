import { AskboxError, type AskerInfo, parseAsk, type SessionView } from "@askbox/core";
import { type Context, Hono } from "hono";
import { z } from "zod";
import { requireScope } from "../auth/bearer.ts";
import { check, readJson } from "./body.ts";
import type { RestContext, RestEnv } from "./context.ts";
import { explainAbort, goneSignal, waitSeconds } from "./wait.ts";

const name = z.string().min(1).max(200);
const ownFields = z.object({ key: name.optional(), agentId: name.optional(), project: z.string().min(1).max(4_096).optional() });

/** What an asker may do over REST: ask, and see how its own question stands. */
export function askerRoutes({ broker, platform, limits, defaultTimeout }: RestContext): Hono<RestEnv> {
  const app = new Hono<RestEnv>();

  app.post("/", async (c) => {
    const grant = c.get("grant");
    requireScope(grant, "asker");
    const { value, bytes } = await readJson(c);
    const { key, agentId, project } = check(ownFields, value);
    const request = parseAsk(value, { ids: platform.ids, defaultTimeout });
    await limits.checkAsk(grant.owner, agentId, bytes);
    const info: AskerInfo = {
      client: clientOf(c.req.header("user-agent")),
      ...(project !== undefined && { project }),
      ...(agentId !== undefined && { agentId }),
    };
    const asker = broker.asker(grant.owner);
    const { session, late } = await asker.open(request, { asker: info, ...(key !== undefined && { key }) });
    if (late) recordDelivery(c, asker, session.id);
    c.header("location", `/api/sessions/${session.id}`);
    return c.json({ ...(await viewOf(broker, session.id)), ...(late && { late }) }, 201);
  });

  return app;
}

/** `GET /api/sessions/{id}` with an asker's token: its own session, after `?wait=` seconds or when it is settled. That hands the outcome over. */
export async function getAsAsker(c: Context<RestEnv>, id: string, { broker, closing }: RestContext): Promise<Response> {
  const asker = broker.asker(c.get("grant").owner);
  try {
    const session = await asker.wait(id, { signal: goneSignal(c, closing), ticketAfter: waitSeconds(c) * 1_000 });
    const view = await viewOf(broker, session.id);
    if (session.state === "pending") asker.close();
    else recordDelivery(c, asker, session.id);
    return c.json(view);
  } catch (error) {
    asker.close();
    throw explainAbort(error, closing);
  }
}

type ClosableAsker = ReturnType<RestContext["broker"]["asker"]>;

/** Delivered is what was written to a connection that still stood; if it breaks before, the outcome stays to be asked for. */
function recordDelivery(c: Context<RestEnv>, asker: ClosableAsker, id: string): void {
  const { outgoing } = c.env;
  let written = false;
  outgoing.once("finish", () => {
    written = true;
    asker.delivered(id).then(
      () => asker.close(),
      () => asker.close(),
    );
  });
  outgoing.once("close", () => {
    if (!written) asker.close();
  });
}

async function viewOf(broker: RestContext["broker"], id: string): Promise<SessionView> {
  const desk = broker.desk({ surface: "api" });
  try {
    return await desk.get(id);
  } finally {
    desk.close();
  }
}

/** `curl/8.5.0` names a client as well as anything; whatever else a User-Agent holds is left out. */
function clientOf(userAgent: string | undefined): AskerInfo["client"] {
  const match = /^([\w.-]{1,60})(?:\/([\w.+-]{1,60}))?/.exec(userAgent ?? "");
  const [, product = "rest", version] = match ?? [];
  return { name: product, ...(version !== undefined && { version }) };
}

/** Asker tokens see one session at a time and settle none. */
export function refuseAsker(): never {
  throw new AskboxError("FORBIDDEN", "A token for asking can neither list sessions nor settle them; that takes the one in desk.json.");
}
