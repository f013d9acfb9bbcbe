import type { Answerer, Broker, Log, Platform } from "@askbox/core";
import { onlyForItself } from "@askbox/wire";
import type { Context } from "hono";
import type { Access } from "../auth/tokens.ts";
import type { Uses } from "../auth/uses.ts";
import type { AskLimits } from "../limits/ask-limits.ts";
import type { HubAdvice } from "../server/advice.ts";
import type { Exchange } from "./exchange.ts";

/** The Hono variables of a request. */
export interface RestEnv {
  Bindings: {
    exchange: Exchange;
    /** The client's address; empty if the server that the hub is mounted on does not provide it. */
    address: string;
  };
  Variables: { access: Access; uses: Uses; maxBytes: number };
}

/** What the routes depend on. */
export interface RestContext {
  broker: Broker;
  platform: Platform;
  limits: AskLimits;
  /** The prefix of the hub's paths as the sender of a request sees them, such as `/askbox`: its proxy may strip some of it. */
  publicPath(request: Request): string;
  /** Milliseconds; for asks that do not set one. */
  defaultTimeout: number | undefined;
  /** Aborts when the hub begins to close. */
  closing: AbortSignal;
  advice: HubAdvice;
  log: Log;
}

/** Who a request acts for: a browser's device, or a program, named after its token if that has a name. */
export function answererOf(c: Context<RestEnv>, by?: { name: string }): Answerer {
  const { device, name, person = device?.name ?? name, onBehalf } = c.get("access");
  if (by !== undefined && !onBehalf) throw onlyForItself();
  return { surface: device === undefined ? "api" : "web", name: by?.name ?? person };
}
