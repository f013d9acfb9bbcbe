import { CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY, type McpServer, type ServerContext } from "@modelcontextprotocol/server";
import { type DeclaredElicitation, readDeclared } from "./question.ts";

/** Who calls a tool: of this request since revision 2026-07-28, of the handshake before. */
export interface ElicitCaller {
  client: { name: string; version?: string };
  declared: DeclaredElicitation;
  /** Whether the call is of a revision in which a server asks by its result, and not by a request. */
  modern: boolean;
}

export function callerOf({ server }: McpServer, ctx: ServerContext): ElicitCaller {
  const envelope: Record<string, unknown> | undefined = ctx.mcpReq.envelope === undefined ? undefined : { ...ctx.mcpReq.envelope };
  const info: unknown = envelope?.[CLIENT_INFO_META_KEY] ?? server.getClientVersion();
  const { name, version } = Object(info) as Record<string, unknown>;
  return {
    client: {
      name: typeof name === "string" && name !== "" ? name : "unknown",
      ...(typeof version === "string" && version !== "" ? { version } : {}),
    },
    declared: readDeclared(envelope === undefined ? server.getClientCapabilities() : envelope[CLIENT_CAPABILITIES_META_KEY]),
    modern: envelope !== undefined,
  };
}

/** The call's token and MCP session over HTTP; the connection where there is neither. */
export function ownerOf(ctx: ServerContext, connection: string): string {
  if (ctx.http === undefined) return JSON.stringify(["connection", connection]);
  const { authInfo } = ctx.http;
  return JSON.stringify(["http", authInfo?.clientId ?? null, authInfo?.token ?? null, ctx.sessionId ?? null]);
}
