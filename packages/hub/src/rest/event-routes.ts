import { eventFeed } from "@askbox/wire";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { Hono } from "hono";
import * as z from "zod";
import { authenticate, credentialsOf, requireScope } from "../auth/bearer.ts";
import type { Verify } from "../auth/verify.ts";
import { securityHeaders } from "../server/security-headers.ts";
import { check } from "./body.ts";
import type { RestContext, RestEnv } from "./context.ts";
import { answererOf } from "./desk-routes.ts";
import { goneSignal } from "./wait.ts";

export const eventsQuerySchema = z.object({ project: z.string().optional(), agentId: z.string().optional() });

/** Milliseconds between two comments on a stream, so that no proxy takes it for dead. */
const keepAliveEvery = 15_000;
/** Milliseconds after which a client of server-sent events comes back by itself. */
const comeBackAfter = 2_000;

/**
 * `GET /api/events`: what a desk's watcher is told, as server-sent events (HTML Standard, section 9.2). The first is `snapshot`, in parts where it is
 * large; each has the event's own type as its name. No event has an id: whoever comes back gets a snapshot, which is all that a missed event could
 * tell.
 */
export function eventRoutes({ broker, platform, closing, log }: RestContext, verify: Verify): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.get("/", async (c) => {
    c.set("grant", await authenticate(credentialsOf(c), verify));
    requireScope(c.get("grant"), "desk");
    const { project, agentId } = check(eventsQuerySchema, c.req.query());
    const { clock } = platform;
    const { outgoing } = c.env;
    const gone = goneSignal(c, closing);
    const desk = broker.desk(answererOf(c));
    let cancelKeepAlive = () => {};
    const keepAlive = () => {
      cancelKeepAlive = clock.setTimer(keepAliveEvery, () => {
        // Whoever has something to read needs no sign of life.
        if (outgoing.writableLength === 0) outgoing.write(": still here\n\n");
        keepAlive();
      });
    };
    const begin = () => {
      outgoing.writeHead(200, {
        ...securityHeaders,
        "content-type": "text/event-stream",
        "cache-control": "no-store",
        "x-accel-buffering": "no",
      });
      outgoing.write(`retry: ${comeBackAfter}\n\n`);
      keepAlive();
    };
    const outlet = {
      // JSON has no line breaks of its own, so an event's data is one line.
      send(text: string, type: string) {
        if (gone.aborted || outgoing.destroyed) return;
        if (!outgoing.headersSent) begin();
        outgoing.write(`event: ${type}\ndata: ${text}\n\n`);
      },
      get bufferedAmount() {
        return outgoing.writableLength;
      },
    };
    const onStuck = () => {
      log("info", "A reader of /api/events took nothing for a minute and was cut off.");
      outgoing.destroy();
    };
    const end = () => {
      cancelKeepAlive();
      desk.close();
      outgoing.end();
    };
    try {
      await eventFeed({ desk, filter: { project, agentId }, outlet, clock, onStuck, signal: gone, log });
    } catch (error) {
      cancelKeepAlive();
      desk.close();
      if (!outgoing.headersSent) throw error;
      outgoing.destroy();
      return RESPONSE_ALREADY_SENT;
    }
    if (gone.aborted) end();
    else gone.addEventListener("abort", end, { once: true });
    return RESPONSE_ALREADY_SENT;
  });
  return app;
}
