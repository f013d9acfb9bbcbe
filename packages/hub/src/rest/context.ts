import type { Broker, Log, Platform } from "@askbox/core";
import type { Grant } from "../auth/tokens.ts";
import type { Uses } from "../auth/uses.ts";
import type { AskLimits } from "../limits/ask-limits.ts";
import type { Exchange } from "../server/exchange.ts";

/** What Hono carries through a request. */
export interface RestEnv {
  Bindings: {
    exchange: Exchange;
    /** Whom the request comes from; empty where the server that the hub is mounted on does not say. */
    address: string;
  };
  Variables: { grant: Grant; uses: Uses; maxBytes: number };
}

/** What the routes work on. */
export interface RestContext {
  broker: Broker;
  platform: Platform;
  limits: AskLimits;
  /** What the hub's paths begin with, such as `/askbox`; empty for a hub with an origin of its own. */
  basePath: string;
  /** Milliseconds; for asks that name none. */
  defaultTimeout: number | undefined;
  /** Aborts when the hub begins to close. */
  closing: AbortSignal;
  log: Log;
}
