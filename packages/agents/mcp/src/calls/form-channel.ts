import { type CallContext, type FormResponse, formResponseOf } from "@askbox/elicit/tool-call";
import type { McpServer } from "@modelcontextprotocol/server";

/** Where `ask_user` shows its questions. The inbox is always included. */
export const askSurfaces = ["inbox", "client"] as const;
/** Where a question is shown: in the inbox, or in the client's own form. */
export type AskSurface = (typeof askSurfaces)[number];

/** Access to the client's own form, for one call. Does not import zod or the core, so that listing the tools loads neither. */
export type FormChannel =
  /** Revisions up to 2025-11-25: the server sends a request during the call, and can cancel it. */
  | { kind: "request"; lists: boolean; show(params: Record<string, unknown>, signal: AbortSignal): Promise<unknown> }
  /** Since 2026-07-28: the call returns the form as its result, and the client calls again with the form's content. */
  | { kind: "result"; lists: true; filled: FormResponse | undefined };

/** Prefix of a form's key in a result, followed by the session's id. */
const keyPrefix = "askbox-session-";
export const formKey = (sessionId: string): string => keyPrefix + sessionId;

/** Milliseconds; the deadline and the call's own limit are shorter. */
const longest = 2_000_000_000;
/** The last revision whose forms have neither lists nor titled choices. */
const withoutLists = "2025-06-18";

/** The channel of this call, if its client supports forms. */
export function formChannelOf({ server }: McpServer, call: CallContext): FormChannel {
  if (call.envelope !== undefined) return { kind: "result", lists: true, filled: formResponseOf(call, keyPrefix) };
  const version = server.getNegotiatedProtocolVersion() ?? withoutLists;
  return {
    kind: "request",
    lists: version > withoutLists,
    show: (params, signal) => call.show(params, { signal, timeout: longest }),
  };
}
