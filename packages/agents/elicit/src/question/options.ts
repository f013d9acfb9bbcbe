import type { Asker, AskerInfo, Log, Platform, ThreadMessage } from "@askbox/core";
import type { ElicitContext } from "../sdk.ts";
import type { RedisOptions } from "../store/redis.ts";
import type { ElicitationStore } from "../store/store.ts";

/** How a person can be asked: in the client's own form, in the askbox inbox, or by the model, which passes the question on. */
export type ElicitationPath = "client" | "inbox" | "model";

/** Options of `withElicitation`. All have defaults. */
export interface ElicitationOptions<Context = ElicitContext> {
  /**
   * The allowed ways, preferred first. Default: the client's own form, then the inbox; without an asker, the client's own form, then the
   * model.
   */
  paths?: readonly ElicitationPath[] | undefined;
  /** The way for clients with this name, if their declared capabilities are misleading. */
  clients?: Readonly<Record<string, ElicitationPath>> | undefined;
  /** The inbox to ask through, or a function that returns it when it is first needed. */
  asker?: Asker | ((ctx: Context) => Promise<Asker>) | undefined;
  /** Who asks in the inbox, in addition to the client's name. */
  identity?: ((ctx: Context) => Promise<Omit<AskerInfo, "client">>) | undefined;
  /** Stores calls that wait for an answer. Default: in this process's memory. */
  store?: ElicitationStore | undefined;
  /** Stores them on Redis instead, for several processes; requires `@askbox/store-redis`. Not together with `store`. */
  redis?: RedisOptions | undefined;
  /** Encrypts stored values with AES-256-GCM; at least 32 bytes, the same in every process that shares the store. */
  secret?: string | Uint8Array | undefined;
  /**
   * The owner of a call; only the same owner may answer or continue it. Default: over HTTP the token and the MCP session, otherwise the
   * connection.
   */
  owner?: ((ctx: Context) => string) | undefined;
  /** The page for an elicitationId, for questions in mode `url` without their own `url`. */
  urlOf?: ((elicitationId: string) => string | URL) | undefined;
  platform?: Platform | undefined;
  log?: Log | undefined;
}

/** How one question is asked. */
export interface ElicitOptions {
  /** `form` (default), or `url` to send the person to a page. */
  mode?: "form" | "url" | undefined;
  /** Milliseconds for the answer, 1–604,800,000 (a week). Default 300,000. */
  ttl?: number | undefined;
  /**
   * Returns the reply to what a person asks back in the inbox, 1–10,000 characters of markdown. Default: a reply saying that a program asks
   * and cannot answer. They have at least 5 minutes after each reply, regardless of `ttl`.
   */
  onAskedBack?: ((messages: readonly ThreadMessage[]) => string | Promise<string>) | undefined;
  /** Identifies a visit of a page, for `notifications/elicitation/complete`; only for mode `url`. Default: a new one. */
  elicitationId?: string | undefined;
  /** The page; only for mode `url`. Default: the result of `urlOf` for the elicitationId. */
  url?: string | URL | undefined;
  /**
   * Only accepts an answer directly from a person, never through the model: if there is no other way, throws
   * `ElicitationNotSupportedError`. For anything that cannot be undone. Default false.
   */
  person?: boolean | undefined;
}

/** How long an answer may take, in ms. */
export const ttlRange = Object.freeze({ min: 1, max: 604_800_000, default: 300_000 });
