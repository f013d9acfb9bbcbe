import type { IncomingMessage, ServerResponse } from "node:http";
import { isAskboxError } from "@askbox/core";

/** RFC 9728: where a client that was refused reads what it takes to be let in, with and without the resource's own path. */
export const metadataPaths: readonly string[] = ["/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource"];
/** Every path of MCP over HTTP. */
export const mcpPaths: readonly string[] = ["/mcp", "/sse", "/messages", ...metadataPaths];

/** The origin under which the request came. Whoever ends TLS before the hub says so. */
function originOf({ headers, socket }: IncomingMessage): string {
  const isSecure = headers["x-forwarded-proto"] === "https" || "encrypted" in socket;
  return `${isSecure ? "https" : "http"}://${headers.host}`;
}

/** Tells anybody that `/mcp` takes a bearer token. No authorization server is named: tokens are the hub owner's to give. */
export function sendMetadata(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const metadata = {
    resource: `${originOf(incoming)}/mcp`,
    resource_name: "askbox",
    bearer_methods_supported: ["header"],
    scopes_supported: ["asker"],
  };
  outgoing.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(metadata));
}

/** The `WWW-Authenticate` header of a refusal (RFC 6750, RFC 9728); none where it is not about the token. */
export function challenge(incoming: IncomingMessage, error: unknown): Record<string, string> {
  const metadata = `resource_metadata="${originOf(incoming)}${metadataPaths[0]}"`;
  if (isAskboxError(error, "FORBIDDEN")) return { "www-authenticate": `Bearer error="insufficient_scope", scope="asker", ${metadata}` };
  if (!isAskboxError(error, "UNAUTHORIZED")) return {};
  // A request without a token is told no error (RFC 6750, section 3.1).
  const known = incoming.headers.authorization === undefined ? "" : ', error="invalid_token"';
  return { "www-authenticate": `Bearer realm="askbox"${known}, scope="asker", ${metadata}` };
}
