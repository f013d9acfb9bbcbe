import { AskboxError, type ErrorCode } from "@askbox/core";
import { parseAskJson } from "@askbox/core/schemas";
import { isJsonContentType, type JSONRPCErrorResponse } from "@modelcontextprotocol/server";
import { type ParsedMessage, parseMessage, refusalOf } from "../parse-message.ts";

/** JSON-RPC's code for invalid JSON, and those of the SDK's own transport for errors that HTTP has a status for. */
const parseError = -32_700;
const serverError = -32_000;
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

/** What was posted. */
export interface PostedMessage {
  /** The message, or the readable ones of a batch. */
  message: unknown;
  /** The responses to those of a batch that cannot be read. */
  refusals: readonly JSONRPCErrorResponse[];
}

function namesIn(message: unknown): unknown[] {
  const { id, method, params } = Object(message) as { id?: unknown; method?: unknown; params?: unknown };
  const { name, _meta } = Object(params) as { name?: unknown; _meta?: unknown };
  return [id, method, name, (Object(_meta) as { progressToken?: unknown }).progressToken];
}

/** A transport error for MCP clients: JSON-RPC without an id. */
export function errorResponse(status: number, message: string, code = codes[status] ?? serverError): Response {
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
 * The posted message or batch, or the response if none of it can be read. Throws `PAYLOAD_TOO_LARGE` as soon as the limit is reached, and
 * `ABORTED` when the client disconnects.
 */
export async function readMessage(request: Request, maxBytes: number): Promise<PostedMessage | Response> {
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
  if (Array.isArray(message) && message.length > maxBatch) {
    return errorResponse(400, `A batch may have at most ${maxBatch} messages; send ${message.length} in several.`);
  }
  const batch: unknown[] | undefined = Array.isArray(message) && message.length > 0 ? message : undefined;
  const parsed = (batch ?? [message]).map(parseNamed);
  const messages = parsed.flatMap((each) => each.message ?? []);
  const refusals = parsed.flatMap((each) => each.refusal ?? []);
  if (messages.length > 0) return { message: batch === undefined ? messages[0] : messages, refusals };
  const [refusal = refusalOf(null)] = refusals;
  return Response.json(batch !== undefined && refusals.length > 0 ? refusals : refusal, { status: 400 });
}

function parseNamed(message: unknown): ParsedMessage {
  const isNamedTooLong = namesIn(message).some((name) => typeof name === "string" && name.length > maxName);
  const sentence = `An id, a method, a tool and a progress token may have at most ${maxName} characters.`;
  return isNamedTooLong ? { refusal: refusalOf(null, sentence, serverError) } : parseMessage(message);
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
