/** A hub below `/askbox` of a Hono app, with MCP for agents. */
import type { Server } from "node:http";
import type { Broker } from "@askbox/core";
import { createHub, hashToken, tokenVerifier } from "@askbox/hub";
import { createAdaptorServer, type HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { mcp } from "./mcp.ts";

/** `agentToken` may ask. People answer through a desk of `broker`, or with a token that you create. */
export function createHonoServer(broker: Broker, agentToken: string) {
  const hub = createHub({
    broker,
    basePath: "/askbox",
    tokens: tokenVerifier([{ hash: hashToken(agentToken), access: { owner: "agents", scopes: ["asker"] } }]),
    mounts: [mcp],
  });
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.get("/", (c) => c.text("The program's own page."));
  app.all("/askbox/*", (c) => hub.fetch(c.req.raw, c.env));
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  server.on("upgrade", hub.upgrade);
  return { server, hub };
}
