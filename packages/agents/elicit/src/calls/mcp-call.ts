import { limits } from "@askbox/core";
import { cut } from "@askbox/core/questions";
import type * as sdk from "@modelcontextprotocol/server";
import type { CallContext } from "./call-context.ts";

// Not imported, so that `elicit()` loads no SDK; the types ensure that the names match.
const clientInfoKey: typeof sdk.CLIENT_INFO_META_KEY = "io.modelcontextprotocol/clientInfo";
const clientCapabilitiesKey: typeof sdk.CLIENT_CAPABILITIES_META_KEY = "io.modelcontextprotocol/clientCapabilities";

/** The client that calls a tool: from this request since revision 2026-07-28, from the handshake before. */
export interface McpCaller {
  client: { name: string; version?: string | undefined };
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

/** The client behind a call. `server` is the SDK's `Server`, which has the handshake. */
export function readCaller(server: Handshake, { envelope }: Pick<CallContext, "envelope">): McpCaller {
  const info: unknown = envelope?.[clientInfoKey] ?? server.getClientVersion();
  const { name, version } = Object(info) as Record<string, unknown>;
  return {
    client: {
      // Truncated rather than rejected: it came with the handshake, where the model that asks cannot change it.
      name: nameOf(name, limits.asker.clientName) ?? "unknown",
      version: nameOf(version, limits.asker.clientVersion),
    },
    declared:
      envelope === undefined ? declaredBefore(server.getClientCapabilities()) : readDeclared(Object(envelope[clientCapabilitiesKey])),
    modern: envelope !== undefined,
  };
}

const nameOf = (text: unknown, max: number) => (typeof text === "string" && text !== "" ? cut(text, max, "").toWellFormed() : undefined);

/** A client's response to a form that an earlier call returned. */
export interface FormResponse {
  /** The form's key without its prefix. */
  id: string;
  /** As received; undefined if the SDK dropped it as malformed. */
  response: unknown;
}

/** The response in this call to a form whose key has the prefix; undefined if there is none. */
export function formResponseOf(
  { inputResponses = {}, droppedInputResponseKeys = [] }: Pick<CallContext, "inputResponses" | "droppedInputResponseKeys">,
  prefix: string,
): FormResponse | undefined {
  const key = [...Object.keys(inputResponses), ...droppedInputResponseKeys].find((name) => name.startsWith(prefix));
  return key === undefined ? undefined : { id: key.slice(prefix.length), response: inputResponses[key] };
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
