import type { Broker, Log, Platform } from "@askbox/core";
import type { HttpBindings } from "@hono/node-server";
import type { Grant } from "../auth/tokens.ts";
import type { Uses } from "../auth/uses.ts";
import type { AskLimits } from "../limits/ask-limits.ts";

/** What Hono carries through a request. */
export interface RestEnv {
  Bindings: HttpBindings;
  Variables: { grant: Grant; uses: Uses; maxBytes: number };
}

/** What the routes work on. */
export interface RestContext {
  broker: Broker;
  platform: Platform;
  limits: AskLimits;
  /** Milliseconds; for asks that name none. */
  defaultTimeout: number | undefined;
  /** Aborts when the hub begins to close. */
  closing: AbortSignal;
  log: Log;
}
