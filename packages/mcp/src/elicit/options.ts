import type { Asker, AskerInfo, Log, Platform, ThreadMessage } from "@askbox/core";
import type { ServerContext } from "@modelcontextprotocol/server";
import type { ElicitationStore } from "./store/store.ts";

/** The ways in which a person can be asked: the client's own form, the askbox inbox, or the model that passes the question on. */
export const elicitationPaths = ["client", "inbox", "model"] as const;
export type ElicitationPath = (typeof elicitationPaths)[number];

/** How `withElicitation` sets a server up. Everything has a default. */
export interface ElicitationOptions {
  /** The ways that may be used, the preferred first. Default: the client's own form, the inbox where there is an asker, the model. */
  paths?: readonly ElicitationPath[];
  /** The way for clients of a name, where what a client declares misleads. */
  clients?: Readonly<Record<string, ElicitationPath>>;
  /** The inbox to ask through, or what finds it when it is first needed. */
  asker?: Asker | ((ctx: ServerContext) => Promise<Asker>);
  /** Who asks in the inbox, besides the client's name. */
  identity?: (ctx: ServerContext) => Promise<Omit<AskerInfo, "client">>;
  /** Where calls that wait for an answer are kept. Default: this process's memory. */
  store?: ElicitationStore;
  /** Encrypts what is kept, with AES-256-GCM; at least 32 bytes, the same in every process that shares the store. */
  secret?: string | Uint8Array;
  /**
   * Whose call this is; only the same owner may answer it, or go on with it. Default: over HTTP the token and the MCP session, else the connection.
   */
  owner?: (ctx: ServerContext) => string;
  platform?: Platform;
  log?: Log;
}

/** How one question is asked. */
export interface ElicitOptions {
  /** `form` (default), or `url` to send the person to a page. */
  mode?: "form" | "url";
  /** Milliseconds for the answer, 1–1,800,000. Default 300,000. */
  ttl?: number;
  /**
   * Gives the reply to what a person asks back in the inbox, 1–10,000 characters of markdown. Default: says that a program asks, which has no more to say. They
   * have at least 5 minutes after each reply, whatever the `ttl`.
   */
  onAskedBack?: (messages: readonly ThreadMessage[]) => string | Promise<string>;
  /** Names a visit of a page, for `notifications/elicitation/complete`; only for mode `url`. Default: a fresh one. */
  elicitationId?: string;
  /** The page; only for mode `url`, which needs it. */
  url?: string;
}

/** How long an answer may take, in ms. */
export const ttlRange = Object.freeze({ min: 1, max: 1_800_000, default: 300_000 });
