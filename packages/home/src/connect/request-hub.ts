import { AskboxError, type ErrorCode, errorCodes } from "@askbox/core";
import { parseExact } from "@askbox/core/schemas";
import type { FoundHub } from "./find-hub.ts";
import { httpText } from "./http-text.ts";
import { sentenceFor } from "./probe-hub.ts";

/** Milliseconds. */
const defaultTimeout = 10_000;
/** Maximum length of a response; no list that is requested here is that long. */
const maxAnswerLength = 8 * 1_024 * 1_024;

export interface HubRequest {
  method: "GET" | "POST" | "DELETE";
  /** Such as `/api/tokens`. */
  path: string;
  /** Sent as JSON. */
  body?: unknown;
  /** Idle timeout in milliseconds; 0 for none. Default 10,000. */
  timeout?: number;
  signal?: AbortSignal;
  /** Keeps the response's numbers as they were written. */
  exact?: boolean;
}

/**
 * Sends one request to a hub's REST interface with the found token; resolves with the response's JSON, undefined if there is none. Throws
 * the hub's own error, `PROTOCOL_MISMATCH` if it does not know the path, and `HUB_UNREACHABLE`.
 */
export async function requestHub(
  { url, token, fingerprint }: FoundHub,
  { method, path, body, timeout = defaultTimeout, signal, exact = false }: HubRequest,
): Promise<unknown> {
  const answer = await httpText(new URL(path, url), {
    method,
    timeout,
    longest: maxAnswerLength,
    fingerprint,
    signal,
    headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch((cause: unknown) => {
    throw new AskboxError("HUB_UNREACHABLE", sentenceFor(cause, url), { cause });
  });
  const told = readJson(answer.text, exact ? parseExact : JSON.parse);
  if (answer.status >= 200 && answer.status < 300) return told;
  throw refusal(url, answer.status, told);
}

/** What the hub said instead of doing it. */
export function refusal(url: string, status: number, told: unknown): AskboxError {
  const { code, detail, offset } = (typeof told === "object" && told !== null ? told : {}) as Record<string, unknown>;
  if (code === undefined && status === 404) {
    return new AskboxError("PROTOCOL_MISMATCH", "The running hub is too old for this; stop it with `askbox hub stop` and try again.");
  }
  const known = typeof code === "string" && Object.hasOwn(errorCodes, code) ? (code as ErrorCode) : "HUB_UNREACHABLE";
  const sentence = typeof detail === "string" ? detail : `The hub at ${url} rejected the request (HTTP ${status}).`;
  return new AskboxError(known, sentence, { details: { ...(offset !== undefined && { offset }) } });
}

export function readJson(text: string, parse: (text: string) => unknown = JSON.parse): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}
