/** A hub below `/askbox` of Node's bare `http`, with MCP for agents. */
import { createServer } from "node:http";
import type { Broker } from "@askbox/core";
import { createHub, hashToken, nodeListener, tokenVerifier } from "@askbox/hub";
import { mcp } from "./mcp.ts";

/** `agentToken` may ask. People answer through a desk of `broker`, or with a token that you create. */
export function createNodeServer(broker: Broker, agentToken: string) {
  const hub = createHub({
    broker,
    basePath: "/askbox",
    tokens: tokenVerifier([{ hash: hashToken(agentToken), access: { owner: "agents", scopes: ["asker"] } }]),
    mounts: [mcp],
  });
  const inbox = nodeListener(hub.fetch);
  const server = createServer((request, response) => {
    if (request.url?.startsWith("/askbox")) return inbox(request, response);
    response.end("The program's own page.");
  });
  server.on("upgrade", hub.upgrade);
  return { server, hub };
}
