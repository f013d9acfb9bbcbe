import { isAskboxError } from "@askbox/core";

/** RFC 9728: where a client that was refused reads what it takes to be let in, with and without the resource's own path. */
export const metadataPaths: readonly string[] = ["/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource"];
/** Every path of MCP over HTTP. */
export const mcpPaths: readonly string[] = ["/mcp", "/sse", "/messages", ...metadataPaths];

/** The origin under which the request came. Whoever ends TLS before the hub says so. */
function originOf({ headers, url }: Request): string {
  const isSecure = headers.get("x-forwarded-proto") === "https" || url.startsWith("https:");
  return `${isSecure ? "https" : "http"}://${headers.get("host")}`;
}

/** Tells anybody that `/mcp` takes a bearer token. No authorization server is named: tokens are the hub owner's to give. */
export function metadataResponse(request: Request): Response {
  return Response.json({
    resource: `${originOf(request)}/mcp`,
    resource_name: "askbox",
    bearer_methods_supported: ["header"],
    scopes_supported: ["asker"],
  });
}

/** The `WWW-Authenticate` header of a refusal (RFC 6750, RFC 9728); none where it is not about the token. */
export function challenge(request: Request, error: unknown): Record<string, string> {
  const metadata = `resource_metadata="${originOf(request)}${metadataPaths[0]}"`;
  if (isAskboxError(error, "FORBIDDEN")) return { "www-authenticate": `Bearer error="insufficient_scope", scope="asker", ${metadata}` };
  if (!isAskboxError(error, "UNAUTHORIZED")) return {};
  // A request without a token is told no error (RFC 6750, section 3.1).
  const known = !request.headers.has("authorization") ? "" : ', error="invalid_token"';
  return { "www-authenticate": `Bearer realm="askbox"${known}, scope="asker", ${metadata}` };
}
