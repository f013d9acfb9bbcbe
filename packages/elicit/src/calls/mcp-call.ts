import { limits } from "@askbox/core";
import type * as sdk from "@modelcontextprotocol/server";

// Not imported, so that `elicit()` loads no SDK; the types ensure that the names match.
const clientInfoKey: typeof sdk.CLIENT_INFO_META_KEY = "io.modelcontextprotocol/clientInfo";
const clientCapabilitiesKey: typeof sdk.CLIENT_CAPABILITIES_META_KEY = "io.modelcontextprotocol/clientCapabilities";

/** The client that calls a tool: from this request since revision 2026-07-28, from the handshake before. */
export interface McpCaller {
  client: { name: string; version?: string };
  declared: DeclaredElicitation;
  /** Whether the call uses a revision in which a server asks with its result rather than a request. */
  modern: boolean;
}

/** What the client can show, according to its capabilities. An empty `elicitation: {}` comes from revisions that only have forms. */
export interface DeclaredElicitation {
  form: boolean;
  url: boolean;
}

/** What the handshake reported about the client. */
interface Handshake {
  getClientVersion(): object | undefined;
  getClientCapabilities(): object | undefined;
}

export function callerOf({ server }: { server: Handshake }, ctx: { mcpReq: { envelope?: object | undefined } }): McpCaller {
  // The envelope is typed empty and passed on as received.
  return readCaller(server, ctx.mcpReq.envelope === undefined ? undefined : { ...ctx.mcpReq.envelope });
}

export function readCaller(server: Handshake, envelope: Readonly<Record<string, unknown>> | undefined): McpCaller {
  const info: unknown = envelope?.[clientInfoKey] ?? server.getClientVersion();
  const { name, version } = Object(info) as Record<string, unknown>;
  return {
    client: {
      // Truncated rather than rejected: it came with the handshake, where the model that asks cannot change it.
      name: typeof name === "string" && name !== "" ? name.slice(0, limits.asker.clientName).toWellFormed() : "unknown",
      ...(typeof version === "string" && version !== "" ? { version: version.slice(0, limits.asker.clientVersion).toWellFormed() } : {}),
    },
    declared:
      envelope === undefined ? declaredBefore(server.getClientCapabilities()) : readDeclared(Object(envelope[clientCapabilitiesKey])),
    modern: envelope !== undefined,
  };
}

/** A client's response to a form that an earlier call returned. */
export interface FormResponse {
  /** The form's key without its prefix. */
  id: string;
  /** As received; undefined if the SDK dropped it as malformed. */
  response: unknown;
}

/** The responses in a call to forms that earlier ones returned. */
export interface FormResponses {
  inputResponses?: Readonly<Record<string, unknown>> | undefined;
  droppedInputResponseKeys?: readonly string[] | undefined;
}

/** The response in this call to a form whose key has the prefix; undefined if there is none. */
export function formResponseOf(
  { inputResponses = {}, droppedInputResponseKeys = [] }: FormResponses,
  prefix: string,
): FormResponse | undefined {
  const key = [...Object.keys(inputResponses), ...droppedInputResponseKeys].find((name) => name.startsWith(prefix));
  return key === undefined ? undefined : { id: key.slice(prefix.length), response: inputResponses[key] };
}

/** How a call arrived. */
interface Origin {
  http?: { authInfo?: { clientId?: string; token?: string } | undefined } | undefined;
  sessionId?: string | undefined;
}

/** The call's token and MCP session over HTTP; otherwise the connection. */
export function ownerOf({ http, sessionId }: Origin, connection: string): string {
  if (http === undefined) return JSON.stringify(["connection", connection]);
  const { authInfo } = http;
  return JSON.stringify(["http", authInfo?.clientId ?? null, authInfo?.token ?? null, sessionId ?? null]);
}

/**
 * Before 2026-07-28 a client may also declare `experimental.elicitation` (`elicitation` contract, "Client Compatibility"). Since then forms
 * are part of results, which the SDK only sends to clients that declare `elicitation`.
 */
function declaredBefore(capabilities: unknown): DeclaredElicitation {
  const declared = readDeclared(Object(capabilities));
  if (declared.form || declared.url) return declared;
  const { elicitation } = Object(Object(capabilities).experimental) as { elicitation?: unknown };
  return readDeclared({ elicitation: elicitation === true ? {} : elicitation });
}

function readDeclared({ elicitation: declared }: { elicitation?: unknown }): DeclaredElicitation {
  if (typeof declared !== "object" || declared === null) return { form: false, url: false };
  const url = "url" in declared && Boolean(declared.url);
  return { url, form: ("form" in declared && Boolean(declared.form)) || !url };
}
