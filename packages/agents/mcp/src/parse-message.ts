import { type JSONRPCErrorResponse, type JSONRPCMessage, parseJSONRPCMessage } from "@modelcontextprotocol/server";

const invalidRequest = -32_600;
/** Of the protocol's own members of _meta. */
const ownPrefix = "io.modelcontextprotocol/";
const invalid =
  'Invalid Request: "jsonrpc" must be "2.0", "id" a string or an integer, "method" a string, "params" and "_meta" objects, "cursor" a string, and "progressToken" a string or an integer.';

/** A client's message; if it could not be read, only the response to it, if it takes one. */
export interface ParsedMessage {
  message?: JSONRPCMessage | undefined;
  refusal?: JSONRPCErrorResponse | undefined;
}

/**
 * Reads one message from a client's JSON, which is changed. Null is nothing in the protocol's own members, since some clients write each
 * that they don't set; what a tool or anybody else defines is kept. A response that cannot be read becomes an error, for the request that waits.
 */
export function parseMessage(value: unknown): ParsedMessage {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { refusal: refusalOf(null) };
  const said = value as Record<string, unknown>;
  const { id, method } = said;
  const isNotification = typeof method === "string" && (id === undefined || (id === null && method.startsWith("notifications/")));
  const isResponse = typeof method !== "string" && ("result" in said || "error" in said);
  try {
    dropNulls(said);
    if (isResponse && said["error"] === undefined) said["result"] ??= {};
    const { cursor = "" } = Object(said["params"]) as { cursor?: unknown };
    const isRequest = !(isNotification || isResponse);
    if (typeof cursor === "string" && !(isRequest && id === null)) return { message: parseJSONRPCMessage(said) };
  } catch {
    // The sentence says what is wrong; the schemas' own words list everything that a message could be.
  }
  if (isResponse) return isId(id) ? { message: refusalOf(id) } : {};
  return isNotification ? {} : { refusal: refusalOf(id) };
}

/** The response to what could not be read, with its id if that is known. */
export function refusalOf(id: unknown, message = invalid, code = invalidRequest): JSONRPCErrorResponse {
  // JSON-RPC wants null where the SDK's type has nothing.
  return { jsonrpc: "2.0", id: (isId(id) ? id : null) as JSONRPCErrorResponse["id"], error: { code, message } };
}

const isId = (id: unknown): id is string | number => typeof id === "string" || typeof id === "number";

function dropNulls(said: Record<string, unknown>): void {
  const { arguments: given, _meta } = Object(said["params"]) as Record<string, unknown>;
  const foreign = Object.entries(Object(_meta)).flatMap(([name, value]) => (name.startsWith(ownPrefix) ? [] : [value]));
  dropAllNulls(said["params"], new Set([given, ...foreign]));
  // The results that a server gets: a form's answer, and roots.
  const { content, roots } = Object(said["result"]) as Record<string, unknown>;
  for (const each of [said, said["result"], content, ...[roots].flat()]) dropOwnNulls(each);
}

function dropAllNulls(value: unknown, except: ReadonlySet<unknown>): void {
  if (typeof value !== "object" || value === null || except.has(value)) return;
  dropOwnNulls(value);
  for (const each of Object.values(value)) dropAllNulls(each, except);
}

function dropOwnNulls(value: unknown): void {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return;
  for (const [name, each] of Object.entries(value)) if (each === null) delete (value as Record<string, unknown>)[name];
}
