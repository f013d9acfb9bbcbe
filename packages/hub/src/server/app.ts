// The hub's routes, and whether it is ready to serve them.

import { AskboxError, type Clock, type ErrorCode, type Log, toAskboxError } from "@askbox/core";
import { Hono } from "hono";
import type { Uses } from "../auth/access.ts";
import type { NamedTokens } from "../auth/named-tokens.ts";
import { type AuthRoutes, authRoutes } from "../rest/auth-routes.ts";
import type { RestContext, RestEnv } from "../rest/context.ts";
import { isFault, nothingAt, problemOf, respond } from "../rest/problem.ts";
import { restRoutes } from "../rest/routes.ts";
import { type ServedPage, serveWeb } from "../web/web-routes.ts";

const maxNonceLength = 128;

interface AppOptions extends RestContext {
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

/** How long the readiness check may take, in ms: less than the probe timeout of common supervisors. */
const timeout = 2_000;

interface Readiness {
  status: "ready" | "closing" | "unavailable";
  [fact: string]: unknown;
}

interface ReadinessOptions {
  /** What is reported in addition to the status; rejects while the hub cannot do its work. */
  readiness: (() => Promise<Record<string, unknown>>) | undefined;
  closing: AbortSignal;
  clock: Clock;
  log: Log;
}

/** Whether the hub can do its work. Concurrent requests share one check. */
export function readinessOf({ readiness, closing, clock, log }: ReadinessOptions): () => Promise<Readiness> {
  let looking: Promise<Readiness> | undefined;
  let isReady = true;
  const look = async (): Promise<Readiness> => {
    const overdue = Promise.withResolvers<never>();
    const cancel = clock.setTimer(timeout, () => overdue.reject(new Error(`No answer within ${timeout} ms.`)));
    try {
      const facts = await Promise.race([readiness?.() ?? Promise.resolve({}), overdue.promise]);
      if (!isReady) log("info", "The hub is ready again");
      isReady = true;
      return { ...facts, status: "ready" };
    } catch (error) {
      // The reason goes to the log and to `hub status` only, since this endpoint is public. It is logged once, since probes come every few
      // seconds.
      if (isReady) log("warn", "The hub is not ready", { error: toAskboxError(error).message });
      isReady = false;
      return { status: "unavailable", detail: "The hub cannot reach its store; it recovers automatically once the store is back." };
    } finally {
      cancel();
    }
  };
  return async () => {
    if (closing.aborted) return { status: "closing" };
    looking ??= look().finally(() => {
      looking = undefined;
    });
    return looking;
  };
}
