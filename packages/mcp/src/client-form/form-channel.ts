import { CLIENT_CAPABILITIES_META_KEY, type McpServer, type ServerContext } from "@modelcontextprotocol/server";

/** Places where `ask_user` puts its questions. The inbox is always one. */
export const askSurfaces = ["inbox", "client"] as const;
export type AskSurface = (typeof askSurfaces)[number];

/** The way to the client's own form, for one call. Kept free of zod and of the core, so that listing the tools loads neither. */
export type FormChannel =
  /** Revisions up to 2025-11-25: the server asks while the call lasts, and can take its form back. */
  | { kind: "request"; lists: boolean; show(params: Record<string, unknown>, signal: AbortSignal): Promise<unknown> }
  /** Since 2026-07-28: the call ends with the form as its result, and the client calls again with what was filled in. */
  | { kind: "result"; lists: true; filled: FilledForm | undefined };

/** What a client brings of a form that an earlier call has ended with. */
export interface FilledForm {
  sessionId: string;
  /** As it came; undefined where it was no response at all. */
  response: unknown;
}

/** Names a form in a result: the session's id follows. */
const keyPrefix = "askbox-session-";
export const formKey = (sessionId: string): string => keyPrefix + sessionId;

/** Milliseconds; the deadline and the call's own limit are nearer. */
const longest = 2_000_000_000;
/** The last revision that has neither lists nor titled choices in its forms. */
const withoutLists = "2025-06-18";

/** The channel of this call; undefined if the client shows no forms. */
export function formChannelOf({ server }: McpServer, ctx: ServerContext): FormChannel | undefined {
  const { mcpReq } = ctx;
  const envelope: Record<string, unknown> | undefined = mcpReq.envelope === undefined ? undefined : { ...mcpReq.envelope };
  if (!showsForms(envelope === undefined ? server.getClientCapabilities() : envelope[CLIENT_CAPABILITIES_META_KEY])) return undefined;
  if (envelope !== undefined) return { kind: "result", lists: true, filled: filledForm(ctx) };
  const version = server.getNegotiatedProtocolVersion() ?? withoutLists;
  return {
    kind: "request",
    lists: version > withoutLists,
    show: (params, signal) => mcpReq.send({ method: "elicitation/create", params }, { signal, timeout: longest }),
  };
}

/** A bare `elicitation: {}` is that of revisions that know only forms. */
function showsForms(capabilities: unknown): boolean {
  const { elicitation } = Object(capabilities) as Record<string, unknown>;
  if (typeof elicitation !== "object" || elicitation === null) return false;
  return Boolean((elicitation as Record<string, unknown>)["form"]) || !("url" in elicitation);
}

function filledForm({ mcpReq }: ServerContext): FilledForm | undefined {
  const { inputResponses = {}, droppedInputResponseKeys = [] } = mcpReq;
  const key = [...Object.keys(inputResponses), ...droppedInputResponseKeys].find((name) => name.startsWith(keyPrefix));
  return key === undefined ? undefined : { sessionId: key.slice(keyPrefix.length), response: inputResponses[key] };
}
