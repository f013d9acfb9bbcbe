import type { IncomingMessage, ServerResponse } from "node:http";
import { AskboxError } from "@askbox/core";
import { isJsonContentType } from "@modelcontextprotocol/server";
import type { McpHost } from "./host.ts";

/** JSON-RPC's code for what is not JSON, and those of the SDK's own transport for what HTTP can say better. */
const parseError = -32_700;
const codes: Readonly<Record<number, number>> = { 404: -32_001 };

/** The JSON that was posted; undefined if the request has been answered because there is none. Throws `PAYLOAD_TOO_LARGE`, `ABORTED`. */
export async function readMessage(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { limits }: Pick<McpHost, "limits">,
): Promise<{ message: unknown } | undefined> {
  const text = await readBody(incoming, limits);
  if (!isJsonContentType(incoming.headers["content-type"])) {
    answerError(outgoing, 415, "Send the message as Content-Type: application/json.");
    return undefined;
  }
  try {
    return { message: JSON.parse(text) };
  } catch {
    answerError(outgoing, 400, "Parse error: the body is not valid JSON.", parseError);
    return undefined;
  }
}

/** An error as MCP clients expect it of a transport: JSON-RPC without an id. */
export function answerError(outgoing: ServerResponse, status: number, message: string, code = codes[status] ?? -32_000): void {
  outgoing
    .writeHead(status, { "content-type": "application/json" })
    .end(JSON.stringify({ jsonrpc: "2.0", error: { code, message }, id: null }));
}

/** A method that the path has no use for. */
export function refuseMethod(outgoing: ServerResponse, allow: string, sentence: string): void {
  outgoing.setHeader("allow", allow);
  answerError(outgoing, 405, sentence);
}

/** The request's body as text. Throws `PAYLOAD_TOO_LARGE` as soon as it is, and `ABORTED` when the client goes away. */
async function readBody(incoming: IncomingMessage, limits: McpHost["limits"]): Promise<string> {
  limits.checkSize(Number(incoming.headers["content-length"] ?? 0));
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    // What is too much is read on and dropped by Node: a connection that is cut instead would take the answer along.
    for await (const chunk of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      limits.checkSize(bytes);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof AskboxError) throw error;
    throw new AskboxError("ABORTED", "The client went away before its request was complete.", { cause: error });
  }
  return Buffer.concat(chunks).toString("utf8");
}
