/** What a page of an allowed origin may send and read (Fetch Standard, section 3.3). It uses a token; cookies are not sent. */
const allowances: Readonly<Record<string, string>> = {
  "access-control-allow-methods": "GET, POST, PATCH, DELETE",
  "access-control-allow-headers": "authorization, content-type, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name, last-event-id",
  "access-control-expose-headers": "location, retry-after, www-authenticate, mcp-session-id",
  "access-control-max-age": "600",
};

/** The response to a CORS preflight; undefined if the request is not one. */
export function preflight(request: Request): Response | undefined {
  const asks = request.method === "OPTIONS" && request.headers.has("access-control-request-method");
  return asks ? new Response(null, { status: 204 }) : undefined;
}

/** What a page of another origin can set itself, and what describes its request. Everything else was added by the browser or a proxy. */
const guestHeaders = new Set([
  ...(allowances["access-control-allow-headers"] ?? "").split(", "),
  ...["accept", "accept-language", "content-length", "host", "origin", "user-agent", "x-forwarded-proto"],
]);

/**
 * The request without credentials that the page did not send itself: cookies, a password that the browser remembers, or the user that a
 * proxy has found out from them. A page of another origin authenticates with its token only.
 */
export function asGuest({ url, method, headers: original, body, signal }: Request): Request {
  const headers = new Headers([...original].filter(([name]) => guestHeaders.has(name)));
  if (!/^Bearer /i.test(headers.get("authorization") ?? "")) headers.delete("authorization");
  // Passes the body itself on, since a cloned request reads ahead.
  return new Request(url, { method, headers, signal, ...(body !== null && { body, duplex: "half" }) });
}

/** Lets the page of this origin read a response. */
export function readableBy(origin: string, { status, headers: original, body }: Response): Response {
  const headers = new Headers(original);
  for (const [name, value] of Object.entries(allowances)) headers.set(name, value);
  headers.set("access-control-allow-origin", origin);
  headers.append("vary", "Origin");
  return new Response(body, { status, headers });
}
