import { isAskboxError } from "@askbox/core";

/** RFC 9728: where a rejected client finds out how to authenticate, with and without the resource's own path. */
export const metadataPaths: readonly string[] = ["/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource"];
/** Every path of MCP over HTTP. */
export const mcpPaths: readonly string[] = ["/mcp", "/mcp/", "/sse", "/messages", ...metadataPaths];

/** The base URL the request was sent to. A proxy that terminates TLS reports it in its headers. */
function hubOf({ headers, url }: Request, basePath: string): string {
  const isSecure = headers.get("x-forwarded-proto") === "https" || url.startsWith("https:");
  return `${isSecure ? "https" : "http"}://${headers.get("host")}${basePath}`;
}

/** Public metadata saying that `/mcp` accepts a bearer token. It names no authorization server: the hub's owner issues the tokens. */
export function metadataResponse(request: Request, basePath: string): Response {
  return Response.json({
    resource: `${hubOf(request, basePath)}/mcp`,
    resource_name: "askbox",
    bearer_methods_supported: ["header"],
    scopes_supported: ["asker"],
  });
}

/** The `WWW-Authenticate` header of a rejection (RFC 6750, RFC 9728); undefined if it is not about the token. */
export function challenge(request: Request, basePath: string, error: unknown): Record<string, string> {
  const metadata = `resource_metadata="${hubOf(request, basePath)}${metadataPaths[0]}"`;
  if (isAskboxError(error, "FORBIDDEN")) return { "www-authenticate": `Bearer error="insufficient_scope", scope="asker", ${metadata}` };
  if (!isAskboxError(error, "UNAUTHORIZED")) return {};
  // A request without a token gets no error code (RFC 6750, section 3.1).
  const known = !request.headers.has("authorization") ? "" : ', error="invalid_token"';
  return { "www-authenticate": `Bearer realm="askbox"${known}, scope="asker", ${metadata}` };
}
