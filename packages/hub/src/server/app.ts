import { AskboxError, type ErrorCode, toAskboxError } from "@askbox/core";
import { Hono } from "hono";
import type { NamedTokens } from "../auth/named-tokens.ts";
import type { Uses } from "../auth/uses.ts";
import { type AuthRoutes, authRoutes } from "../rest/auth-routes.ts";
import type { RestContext, RestEnv } from "../rest/context.ts";
import { isFault, nothingAt, problemOf, respond } from "../rest/problem.ts";
import { restRoutes } from "../rest/routes.ts";
import { type ServedPage, serveWeb } from "../web/web-routes.ts";
import { readinessOf } from "./readiness.ts";

const maxNonceLength = 128;

export interface AppOptions extends RestContext {
  auth: Omit<AuthRoutes, "publicPath">;
  basePath: string;
  named: NamedTokens;
  uses: Uses;
  /** The page; a hub without one serves programs only. */
  web: Omit<ServedPage, "basePath"> | undefined;
  /** `{version, instance, protocol}`, and anything else that is public. */
  identity: Readonly<Record<string, unknown>>;
  /** Proves the hub to a client that knows one of its secrets. */
  prove: ((nonce: string) => string) | undefined;
  /** Whether the hub can do its work; see `HubOptions`. */
  readiness: (() => Promise<Record<string, unknown>>) | undefined;
  onRefused: ((code: ErrorCode) => void) | undefined;
}

/** The hub's routes. The caller has checked Host and Origin. */
export function createApp(options: AppOptions): Hono<RestEnv> {
  const { auth, named, uses, web, identity, prove, readiness, closing, log, basePath, publicPath } = options;
  const { clock } = options.platform;
  const root = new Hono<RestEnv>();
  const app = root.basePath(basePath);

  app.use(async (c, next) => {
    c.set("uses", uses);
    await next();
  });
  app.get("/healthz", (c) => {
    const nonce = c.req.query("nonce");
    if (nonce !== undefined && (nonce === "" || nonce.length > maxNonceLength)) {
      throw new AskboxError("VALIDATION", `A nonce must have 1 to ${maxNonceLength} characters.`);
    }
    return c.json({ status: "ok", ...identity, ...(nonce !== undefined && prove !== undefined && { proof: prove(nonce) }) });
  });
  const ready = readinessOf({ readiness, closing, clock, log });
  app.get("/readyz", async (c) => {
    const answer = await ready();
    return c.json(answer, answer.status === "ready" ? 200 : 503);
  });
  app.get("/openapi.json", async (c) => {
    const { openApi } = await import("../rest/openapi.ts");
    return c.json(openApi(String(identity["version"]), publicPath(c.req.raw)));
  });
  app.route("/", restRoutes(options, named, auth.verify));
  app.route("/auth", authRoutes({ ...auth, publicPath }));
  if (web !== undefined) {
    app.get("*", async (c, next) => (await serveWeb(c, { ...web, basePath })) ?? next());
    // The page asks whether there are pushes; a mounted service that sends them is asked instead of this.
    app.post("/push", (c) => c.body(null, 204));
  }

  root.notFound((c) => respond(nothingAt(c.req.method, c.req.path)));
  root.onError((thrown) => {
    const error = toAskboxError(thrown);
    options.onRefused?.(error.code);
    if (isFault(error)) log("error", "A request failed", { code: error.code, error: error.message, cause: String(error.cause ?? "") });
    return respond(problemOf(error));
  });
  return root;
}
