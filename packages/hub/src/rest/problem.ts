import { STATUS_CODES } from "node:http";
import { type AskboxError, type ErrorCode, errorCodes, toAskboxError } from "@askbox/core";

/** The HTTP status of each error code. */
const statuses: Record<ErrorCode, number> = {
  VALIDATION: 400,
  INVALID_ANSWER: 422,
  SESSION_NOT_FOUND: 404,
  UNKNOWN_AGENT: 404,
  AMBIGUOUS_ID: 409,
  SESSION_CLOSED: 409,
  TOO_MANY_ROUNDS: 409,
  SESSION_PENDING: 409,
  DRAFT_CONFLICT: 409,
  CONFLICT: 409,
  ABORTED: 503,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  RATE_LIMITED: 429,
  TOO_MANY_PENDING: 429,
  PAYLOAD_TOO_LARGE: 413,
  PROTOCOL_MISMATCH: 426,
  HUB_UNREACHABLE: 503,
  HUB_CLOSING: 503,
  STORE_UNAVAILABLE: 503,
  STORE_DAMAGED: 500,
  ELICITATION_NOT_SUPPORTED: 400,
  CANCELLED: 409,
  TIMED_OUT: 408,
  ELICITATION_TIMED_OUT: 408,
  ELICITATION_UNKNOWN: 404,
  ELICITATION_EXPIRED: 410,
  ELICITATION_USED: 409,
  ELICITATION_FOREIGN: 403,
  ELICITATION_CHANGED: 409,
  INTERNAL: 500,
};

/** An error in the format of RFC 9457; the error's `details` become members. */
export interface Problem {
  status: number;
  headers: Record<string, string>;
  body: Record<string, unknown>;
}

export function problemOf(error: AskboxError, status = statuses[error.code]): Problem {
  const { code, details } = error;
  // Internal errors go to the log only; their messages may contain paths.
  const detail = code === "INTERNAL" ? "Something went wrong in the hub; see its log." : error.message;
  const shown = code === "INTERNAL" ? {} : details;
  const headers: Record<string, string> = { "content-type": "application/problem+json" };
  if (status === 401) headers["www-authenticate"] = 'Bearer realm="askbox"';
  if (code === "RATE_LIMITED") headers["retry-after"] = String(details?.["retryAfter"] ?? 60);
  if (code === "TOO_MANY_PENDING") headers["retry-after"] = "60";
  // By then another hub may be running.
  if (code === "HUB_CLOSING") headers["retry-after"] = "5";
  return {
    status,
    headers,
    body: { ...shown, type: `urn:askbox:error:${code.toLowerCase()}`, title: STATUS_CODES[status] ?? "Error", status, detail, code },
  };
}

/** A problem as a response. */
export function respond({ status, headers, body }: Problem): Response {
  return new Response(JSON.stringify(body), { status, headers });
}

/** An error as a problem document. `headers` replace the problem's own. */
export function problemResponse(thrown: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  const problem = problemOf(toAskboxError(thrown));
  return respond({ ...problem, headers: { ...problem.headers, ...headers } });
}

/** Maximum length of a path that is echoed. */
const maxPathLength = 200;

/** No route has this path; the error table is about sessions and has no code for it. */
export function nothingAt(method: string, path: string): Problem {
  const headers = { "content-type": "application/problem+json" };
  return {
    status: 404,
    headers,
    body: {
      type: "about:blank",
      title: "Not Found",
      status: 404,
      detail: `There is nothing at ${method} ${path.slice(0, maxPathLength)}.`,
    },
  };
}

/** Whether the hub failed, rather than the client. */
export const isFault = (error: AskboxError) => errorCodes[error.code].fixedBy === "askbox" || statuses[error.code] === 500;

/** Sent with every response. The hub serves data: nothing in it may be executed, framed, sniffed, cached or used as a referrer. */
export const securityHeaders: Readonly<Record<string, string>> = Object.freeze({
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
});
