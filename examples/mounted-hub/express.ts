/** A hub below `/askbox` of an Express app: users logged in to the app answer in the inbox, and agents ask over MCP. */
import { createServer, ServerResponse } from "node:http";
import type { Broker } from "@askbox/core";
import { createHub, hashToken, nodeListener, tokenVerifier } from "@askbox/hub";
import express, { type Request, type Response } from "express";
import session from "express-session";
import { mcp } from "./mcp.ts";

declare module "express-session" {
  interface SessionData {
    person: string;
  }
}

/** `agentToken` may ask. `secret` signs the app's session cookies. */
export function createExpressServer(broker: Broker, { agentToken, secret }: { agentToken: string; secret: string }) {
  const sessions = session({ secret, resave: false, saveUninitialized: false, cookie: { sameSite: "strict" } });
  const hub = createHub({
    broker,
    basePath: "/askbox",
    tokens: tokenVerifier([{ hash: hashToken(agentToken), access: { owner: "agents", scopes: ["asker"] } }]),
    authenticate(_request, { incoming }) {
      const { person } = (incoming as Partial<Request> | undefined)?.session ?? {};
      return person === undefined ? undefined : { owner: `person:${person}`, person, scopes: ["desk"] };
    },
    mounts: [mcp],
  });
  const app = express();
  app.use(sessions);
  // Must come before body parsers, since the hub reads bodies itself.
  app.use("/askbox", nodeListener(hub.fetch));
  app.post("/login", express.json(), (request, response) => {
    // A real app would ask for a password.
    request.session.person = request.body.name;
    response.json({ name: request.body.name });
  });
  app.get("/", (request, response) => void response.send(`Hello, ${request.session.person ?? "stranger"}.`));
  const server = createServer(app);
  server.on("upgrade", (request, socket, head) => {
    // Express doesn't handle upgrades, so the session is looked up here.
    sessions(request as Request, new ServerResponse(request) as Response, () => hub.upgrade(request, socket, head));
  });
  return { server, hub };
}
