import { limits } from "@askbox/core";
import { CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY, type McpServer, type ServerContext } from "@modelcontextprotocol/server";

/** Who calls a tool: of this request since revision 2026-07-28, of the handshake before. */
export interface McpCaller {
  client: { name: string; version?: string };
  declared: DeclaredElicitation;
  /** Whether the call is of a revision in which a server asks by its result, and not by a request. */
  modern: boolean;
}

/** What the client can show, by what it has declared. A bare `elicitation: {}` is that of revisions that know only forms. */
export interface DeclaredElicitation {
  form: boolean;
  url: boolean;
}

export function callerOf({ server }: McpServer, ctx: ServerContext): McpCaller {
  // The envelope is typed empty and handed on as received.
  const envelope: Record<string, unknown> | undefined = ctx.mcpReq.envelope === undefined ? undefined : { ...ctx.mcpReq.envelope };
  const info: unknown = envelope?.[CLIENT_INFO_META_KEY] ?? server.getClientVersion();
  const { name, version } = Object(info) as Record<string, unknown>;
  return {
    client: {
      // Cut rather than refused: it was said in the handshake, where the model that asks can do nothing about it.
      name: typeof name === "string" && name !== "" ? name.slice(0, limits.asker.clientName).toWellFormed() : "unknown",
      ...(typeof version === "string" && version !== "" ? { version: version.slice(0, limits.asker.clientVersion).toWellFormed() } : {}),
    },
    declared: readDeclared(envelope === undefined ? server.getClientCapabilities() : envelope[CLIENT_CAPABILITIES_META_KEY]),
    modern: envelope !== undefined,
  };
}

/** A client's response to a form that an earlier call has ended with. */
export interface FormResponse {
  /** The form's key without its prefix. */
  id: string;
  /** As it came; undefined where it was no response at all, and the SDK has dropped it as malformed. */
  response: unknown;
}

/** The response that this call brings to a form whose key begins with the prefix; undefined if it brings none. */
export function formResponseOf({ mcpReq }: ServerContext, prefix: string): FormResponse | undefined {
  const { inputResponses = {}, droppedInputResponseKeys = [] } = mcpReq;
  const key = [...Object.keys(inputResponses), ...droppedInputResponseKeys].find((name) => name.startsWith(prefix));
  return key === undefined ? undefined : { id: key.slice(prefix.length), response: inputResponses[key] };
}

/** The call's token and MCP session over HTTP; the connection where there is neither. */
export function ownerOf(ctx: ServerContext, connection: string): string {
  if (ctx.http === undefined) return JSON.stringify(["connection", connection]);
  const { authInfo } = ctx.http;
  return JSON.stringify(["http", authInfo?.clientId ?? null, authInfo?.token ?? null, ctx.sessionId ?? null]);
}

function readDeclared(capabilities: unknown): DeclaredElicitation {
  const declared: unknown = Object(capabilities).elicitation;
  if (typeof declared !== "object" || declared === null) return { form: false, url: false };
  const url = "url" in declared && Boolean(declared.url);
  return { url, form: ("form" in declared && Boolean(declared.form)) || !url };
}
