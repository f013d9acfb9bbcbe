import type { Asker, AskerInfo, AskRequest, ErrorCode, Log, Platform } from "@askbox/core";
import type { AnswerFile } from "@askbox/core/questions";
import type { AuthInfo } from "@modelcontextprotocol/server";
import type { Written } from "./ask-mcp-server.ts";
import type { AskSurface } from "./calls/form-channel.ts";
import type { Fallback } from "./clients.ts";
import type { DialectName } from "./dialects/index.ts";
import type { AnswerEvents } from "./events.ts";

/** Who calls a tool, as far as MCP reports it. */
export interface Caller {
  client: AskerInfo["client"];
  /** URIs of the client's roots; empty where it declares none, does not answer within a second, or speaks a revision without them. */
  roots(): Promise<string[]>;
  /** What the HTTP side has verified; never set on stdio. */
  auth: AuthInfo | undefined;
  /** The HTTP request that carries the call; never set on stdio. */
  request: Request | undefined;
  /** The call's own `_meta`: what the client says of it, unchecked. */
  meta: Readonly<Record<string, unknown>>;
  /** Milliseconds in which an asker is of use to the call; undefined if it may take its time. */
  within?: number | undefined;
}

/** How a tool's call ended. */
export interface CallEnd {
  tool: string;
  /** `aborted`: the client cancelled it, or its stream ended. A ticket, a cancelled question and a timeout are `ok`. */
  status: "ok" | "error" | "aborted";
  /** What kind of error it was. */
  error?: ErrorCode | undefined;
}

/** A picture as clients pass it on to their models: at most 2000 pixels wide and high, and 450 KB. */
export interface Picture {
  data: Uint8Array;
  mimeType: string;
}

/** Where the files of answers come from, and the pictures of questions go. */
export interface FileSource {
  /** The file as a picture, or a sentence that says why it can't be shown. */
  picture(sessionId: string, file: AnswerFile, options: { signal: AbortSignal }): Promise<Picture | string>;
  /**
   * Writes files where the agent can read them. Resolves with their paths by SHA-256, and what to know of that place; undefined if there
   * is none.
   */
  place?(
    sessionId: string,
    files: readonly AnswerFile[],
    options: { signal: AbortSignal; identity: Omit<AskerInfo, "client"> },
  ): Promise<{ paths: ReadonlyMap<string, string>; remark?: string | undefined } | undefined>;
  /**
   * The request with the pictures that its agent names by path as the hub takes them; without it, a path is refused. Throws `VALIDATION` for
   * one that is not read.
   */
  send?(request: AskRequest, options: { signal: AbortSignal; identity: Omit<AskerInfo, "client"> }): Promise<AskRequest>;
}

/** Options of `createAskServer`. */
export interface AskServerOptions {
  /** Returns the asker for questions; called for each call, never before the first. Throws `HUB_UNREACHABLE`. */
  asker: (caller: Caller) => Promise<Asker>;
  /** Who asks, besides the client. */
  identity: (caller: Caller) => Promise<Omit<AskerInfo, "client">>;
  /**
   * Whether the response to an HTTP request has reached the client's connection; resolves when that is known. Without it, and on stdio,
   * what the transport has sent counts.
   */
  written?: Written | undefined;
  /** How many ms ago the call that an HTTP request resumes began; 0 for a new call, which is also the default. */
  elapsed?: ((request: Request) => number) | undefined;
  platform: Platform;
  /** Default `["ask_user"]`. */
  tools?: readonly DialectName[] | undefined;
  /**
   * Where questions appear: `inbox`, and with `client` also in the client's own form, if the client has one and the hub accepts its answers.
   * Default `["inbox"]`.
   */
  surfaces?: readonly AskSurface[] | undefined;
  /** The server's name. Default `askbox`. */
  name?: string | undefined;
  version: string;
  /** Timeout for asks without one, overriding their tool's own default: 10,000–1,800,000 ms. */
  timeout?: number | undefined;
  /** Timeout for asks without one if their tool has no default: 10,000–1,800,000 ms, default 300,000. */
  defaultTimeout?: number | undefined;
  /** The call returns within this time (ms), with a ticket if necessary, whatever the table of clients says; 0 means no limit. */
  maxWait?: number | undefined;
  /**
   * What the agent is told with its first ticket besides, as a sentence, by the name that its client reports: how to lift the client's limit,
   * say. Undefined for nothing.
   */
  ticketHint?: ((client: string) => string | undefined) | undefined;
  /** The files of answers, which the tool `get_files` shows, and of questions; without it, there is no such tool. */
  files?: FileSource | undefined;
  /** Answers the requests of the Events extension; without it, that is not served. */
  events?: AnswerEvents | undefined;
  /** What happens to the questions if their call is cancelled or its stream ends. Default `keep`. */
  onCancel?: "keep" | "withdraw" | undefined;
  /** What an agent is told to do instead if askbox cannot be reached. Default `tool`, its client's own question tool. */
  fallback?: Fallback | undefined;
  /** Called at the end of every call. */
  onCallEnd?: ((end: CallEnd) => void) | undefined;
  log?: Log | undefined;
}
