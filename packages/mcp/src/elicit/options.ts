import type { Asker, AskerInfo, Log, Platform, ThreadMessage } from "@askbox/core";
import type { ElicitContext } from "./sdk/call-context.ts";
import type { RedisOptions } from "./store/redis.ts";
import type { ElicitationStore } from "./store/store.ts";

/** The ways in which a person can be asked: the client's own form, the askbox inbox, or the model that passes the question on. */
export type ElicitationPath = "client" | "inbox" | "model";

/** How `withElicitation` sets a server up. Everything has a default. */
export interface ElicitationOptions<Context = ElicitContext> {
  /**
   * The ways that may be used, the preferred first. Default: the client's own form, then the inbox; where no asker is given, the client's own form, then
   * the model.
   */
  paths?: readonly ElicitationPath[] | undefined;
  /** The way for clients of a name, where what a client declares misleads. */
  clients?: Readonly<Record<string, ElicitationPath>> | undefined;
  /** The inbox to ask through, or what finds it when it is first needed. */
  asker?: Asker | ((ctx: Context) => Promise<Asker>) | undefined;
  /** Who asks in the inbox, besides the client's name. */
  identity?: ((ctx: Context) => Promise<Omit<AskerInfo, "client">>) | undefined;
  /** Where calls that wait for an answer are kept. Default: this process's memory. */
  store?: ElicitationStore | undefined;
  /** Keeps them on Redis instead, for several processes; `@askbox/store-redis` has to be installed. Not beside `store`. */
  redis?: RedisOptions | undefined;
  /** Encrypts what is kept, with AES-256-GCM; at least 32 bytes, the same in every process that shares the store. */
  secret?: string | Uint8Array | undefined;
  /**
   * Whose call this is; only the same owner may answer it, or go on with it. Default: over HTTP the token and the MCP session, else the connection.
   */
  owner?: ((ctx: Context) => string) | undefined;
  /** The page of an elicitationId, for questions in mode `url` that bring no `url` of their own. */
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
   * Gives the reply to what a person asks back in the inbox, 1–10,000 characters of markdown. Default: says that a program asks, which has no more to say. They
   * have at least 5 minutes after each reply, whatever the `ttl`.
   */
  onAskedBack?: ((messages: readonly ThreadMessage[]) => string | Promise<string>) | undefined;
  /** Names a visit of a page, for `notifications/elicitation/complete`; only for mode `url`. Default: a fresh one. */
  elicitationId?: string | undefined;
  /** The page; only for mode `url`. Default: what `urlOf` makes of the elicitationId. */
  url?: string | URL | undefined;
  /**
   * Takes an answer from a person alone, never one that the model passes on: where there is no other way, `ElicitationNotSupportedError`. For whatever
   * cannot be undone. Default false.
   */
  person?: boolean | undefined;
}

/** How long an answer may take, in ms. */
export const ttlRange = Object.freeze({ min: 1, max: 604_800_000, default: 300_000 });
