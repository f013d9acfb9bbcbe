import type { McpServer, ServerContext } from "@modelcontextprotocol/server";
import { type FormResponse, formResponseOf } from "../mcp-call.ts";

/** Places where `ask_user` puts its questions. The inbox is always one. */
export const askSurfaces = ["inbox", "client"] as const;
/** Where a question is asked: in the inbox, or in the client's own form. */
export type AskSurface = (typeof askSurfaces)[number];

/** The way to the client's own form, for one call. Kept free of zod and of the core, so that listing the tools loads neither. */
export type FormChannel =
  /** Revisions up to 2025-11-25: the server asks while the call lasts, and can take its form back. */
  | { kind: "request"; lists: boolean; show(params: Record<string, unknown>, signal: AbortSignal): Promise<unknown> }
  /** Since 2026-07-28: the call ends with the form as its result, and the client calls again with what was filled in. */
  | { kind: "result"; lists: true; filled: FormResponse | undefined };

/** Names a form in a result: the session's id follows. */
const keyPrefix = "askbox-session-";
export const formKey = (sessionId: string): string => keyPrefix + sessionId;

/** Milliseconds; the deadline and the call's own limit are nearer. */
const longest = 2_000_000_000;
/** The last revision that has neither lists nor titled choices in its forms. */
const withoutLists = "2025-06-18";

/** The channel of this call by a client that shows forms. */
export function formChannelOf({ server }: McpServer, ctx: ServerContext, modern: boolean): FormChannel {
  if (modern) return { kind: "result", lists: true, filled: formResponseOf(ctx.mcpReq, keyPrefix) };
  const version = server.getNegotiatedProtocolVersion() ?? withoutLists;
  return {
    kind: "request",
    lists: version > withoutLists,
    show: (params, signal) => ctx.mcpReq.send({ method: "elicitation/create", params }, { signal, timeout: longest }),
  };
}
