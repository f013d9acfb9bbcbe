import type { DeskEvent, Watch } from "@askbox/core";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { Hono } from "hono";
import { z } from "zod";
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
/** Bytes that a reader may leave unread; one that lags further behind is cut, and gets a snapshot when it comes back. */
const maxBacklog = 16 * 1_048_576;
/** Milliseconds after which a client of server-sent events comes back by itself. */
const comeBackAfter = 2_000;

/**
 * `GET /api/events`: what a desk's watcher is told, as server-sent events (HTML Standard, section 9.2). The first is `snapshot`; each has the event's
 * own type as its name. No event has an id: whoever comes back gets a snapshot, which is all that a missed event could tell.
 */
export function eventRoutes({ broker, platform, closing }: RestContext, verify: Verify): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.get("/", async (c) => {
    c.set("grant", await authenticate(credentialsOf(c), verify));
    requireScope(c.get("grant"), "desk");
    const { project, agentId } = check(eventsQuerySchema, c.req.query());
    const filter = { project, agentId };
    const { outgoing } = c.env;
    const gone = goneSignal(c, closing);
    const desk = broker.desk(answererOf(c));
    let watch: Watch | undefined;
    let cancelKeepAlive = () => {};
    const end = () => {
      cancelKeepAlive();
      watch?.close();
      desk.close();
      outgoing.end();
    };
    const write = (text: string) => {
      if (gone.aborted || outgoing.destroyed) return;
      outgoing.write(text);
      if (outgoing.writableLength > maxBacklog) outgoing.destroy();
    };
    const keepAlive = () => {
      cancelKeepAlive = platform.clock.setTimer(keepAliveEvery, () => {
        write(": still here\n\n");
        keepAlive();
      });
    };
    try {
      // What the listener is told before there are headers is written after them.
      const early: string[] = [];
      let send = (text: string) => {
        early.push(text);
      };
      watch = await desk.watch(filter, (event) => send(asText(event)));
      outgoing.writeHead(200, {
        ...securityHeaders,
        "content-type": "text/event-stream",
        "cache-control": "no-store",
        "x-accel-buffering": "no",
      });
      send = write;
      write(`retry: ${comeBackAfter}\n\n${early.join("")}`);
      keepAlive();
    } catch (error) {
      watch?.close();
      desk.close();
      throw error;
    }
    if (gone.aborted) end();
    else gone.addEventListener("abort", end, { once: true });
    return RESPONSE_ALREADY_SENT;
  });
  return app;
}

/** JSON has no line breaks of its own, so an event's data is one line. */
function asText(event: DeskEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
