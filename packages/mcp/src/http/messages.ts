import { AskboxError, type ErrorCode } from "@askbox/core";
import { parseAskJson } from "@askbox/core/schemas";
import { isJsonContentType } from "@modelcontextprotocol/server";
import { parseMessage, refusalOf } from "../parse-message.ts";

/** JSON-RPC's code for invalid JSON, and those of the SDK's own transport for errors that HTTP has a status for. */
const parseError = -32_700;
const codes: Readonly<Record<number, number>> = { 404: -32_001 };

/** The HTTP statuses of client errors and temporary errors. */
const statuses: Partial<Record<ErrorCode, number>> = {
  VALIDATION: 400,
  PAYLOAD_TOO_LARGE: 413,
  RATE_LIMITED: 429,
  ABORTED: 503,
  HUB_UNREACHABLE: 503,
  STORE_UNAVAILABLE: 503,
};

/** Maximum size of a batch (revision 2025-03-26): each message may produce much more output than input. */
const maxBatch = 100;

/** Maximum length of what responses repeat: they are kept for clients that resume. */
const maxName = 1_000;

function namesIn(message: unknown): unknown[] {
  const { id, method, params } = Object(message) as { id?: unknown; method?: unknown; params?: unknown };
  const { name, _meta } = Object(params) as { name?: unknown; _meta?: unknown };
  return [id, method, name, (Object(_meta) as { progressToken?: unknown }).progressToken];
}

/** A transport error for MCP clients: JSON-RPC without an id. */
export function errorResponse(status: number, message: string, code = codes[status] ?? -32_000): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status });
}

export function responseOf({ code, message }: AskboxError): Response {
  return errorResponse(statuses[code] ?? 500, message);
}

/** The response for a method that the path does not support. */
export function methodNotAllowed(allow: string, sentence: string): Response {
  const response = errorResponse(405, sentence);
  response.headers.set("allow", allow);
  return response;
}

/**
 * The posted message or batch, or the response to what cannot be read. Throws `PAYLOAD_TOO_LARGE` as soon as the limit is reached, and
 * `ABORTED` when the client disconnects.
 */
export async function readMessage(request: Request, maxBytes: number): Promise<{ message: unknown } | Response> {
  const text = await readBody(request, maxBytes);
  if (!isJsonContentType(request.headers.get("content-type") ?? undefined)) {
    return errorResponse(415, "Send the message as Content-Type: application/json.");
  }
  let message: unknown;
  try {
    message = parseAskJson(text);
  } catch {
    return errorResponse(400, "Parse error: the body is not valid JSON.", parseError);
  }
  const isNamedTooLong = [message].flat().some((each) => namesIn(each).some((name) => typeof name === "string" && name.length > maxName));
  if (isNamedTooLong) return errorResponse(400, `An id, a method, a tool and a progress token may have at most ${maxName} characters.`);
  if (Array.isArray(message) && message.length > maxBatch) {
    return errorResponse(400, `A batch may have at most ${maxBatch} messages; send ${message.length} in several.`);
  }
  const parsed = (Array.isArray(message) && message.length > 0 ? message : [message]).map(parseMessage);
  const unread = parsed.find((each) => each.message === undefined);
  if (unread !== undefined) return Response.json(unread.refusal ?? refusalOf(null), { status: 400 });
  const messages = parsed.map((each) => each.message);
  return { message: Array.isArray(message) ? messages : messages[0] };
}

async function readBody({ headers, body }: Request, maxBytes: number): Promise<string> {
  const check = (bytes: number) => {
    if (bytes <= maxBytes) return;
    throw new AskboxError("PAYLOAD_TOO_LARGE", `A request may have at most ${maxBytes} bytes; this one has ${bytes}. Shorten it.`);
  };
  check(Number(headers.get("content-length") ?? 0));
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  const reader = body?.getReader();
  try {
    for (let next = await reader?.read(); next?.value !== undefined; next = await reader?.read()) {
      bytes += next.value.length;
      check(bytes);
      text += decoder.decode(next.value, { stream: true });
    }
  } catch (error) {
    // Whoever sends it need not wait until it is read.
    reader?.cancel().catch(() => {});
    if (error instanceof AskboxError) throw error;
    throw new AskboxError("ABORTED", "The client went away before its request was complete.", { cause: error });
  }
  return text + decoder.decode();
}
