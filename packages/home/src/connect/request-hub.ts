import { randomUUID } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { AskboxError, type ErrorCode, errorCodes, isAskboxError } from "@askbox/core";
import { parseExact } from "@askbox/core/schemas";
import { type FoundHub, removedThere } from "./find-hub.ts";
import { type HttpTextOptions, httpBytes, httpText, sentenceFor } from "./probe-hub.ts";

/**
 * REST requests to a hub that was found, and its files: downloads that stop at a size, uploads that continue where a broken connection
 * left them. A refusal of the hub arrives as its own error, with its code.
 */

/** Milliseconds. */
const defaultTimeout = 10_000;
/** Maximum length of a response; no list that is requested here is that long. */
const maxAnswerLength = 8 * 1_024 * 1_024;

export interface HubRequest {
  method: "GET" | "POST" | "PATCH" | "DELETE";
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
  { url, token, fingerprint, joined }: Omit<FoundHub, "token" | "own"> & { token: string | undefined },
  { method, path, body, timeout = defaultTimeout, signal, exact = false }: HubRequest,
): Promise<unknown> {
  const answer = await httpText(url, path, {
    method,
    timeout,
    longest: maxAnswerLength,
    fingerprint,
    signal,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch((cause: unknown) => {
    throw new AskboxError("HUB_UNREACHABLE", sentenceFor(cause, url), { cause });
  });
  const told = readJson(answer.text, exact ? parseExact : JSON.parse);
  if (answer.status >= 200 && answer.status < 300) return told;
  throw joined?.isOwnToken && answer.status === 401 ? removedThere(url) : refusal(url, answer.status, told);
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

/** Idle time in milliseconds. */
const timeout = 10_000;
/** Bytes of one request: it arrives within the hub's 30 s over a slow line, too. */
const part = 1_048_576;
/** How often a part is sent again after the connection was lost. */
const maxTries = 5;
/** More than a hub stores of one file, in bytes. */
const largest = 1_073_741_824;

/** An uploaded file, as an answer names it. */
export interface UploadedFile {
  sha256: string;
  size: number;
  mimeType: string;
}

/** Which file of a session. */
export interface HubFileKey {
  sessionId: string;
  sha256: string;
  /** As a picture for an agent's client, or as a PNG for a terminal. */
  fit?: "agent" | "png";
  signal?: AbortSignal;
}

/** The bytes of a file that a hub stores, and their type. Throws the hub's own error, and `HUB_UNREACHABLE`. */
export async function downloadFile(
  hub: FoundHub,
  { sessionId, sha256, fit, signal }: HubFileKey,
): Promise<{ bytes: Buffer; type: string }> {
  const query = new URLSearchParams({ session: sessionId, id: sha256, ...(fit && { fit: fit === "agent" ? "1" : fit }) });
  // Reducing a picture takes a while.
  return exchange(hub, query, { timeout: 6 * timeout, longest: largest, signal });
}

/**
 * Uploads a file of this machine in parts, each again if the connection is lost. Throws the hub's own error, `HUB_UNREACHABLE`, and
 * `VALIDATION` if the path is no file that can be read.
 */
export async function uploadFile(
  hub: FoundHub,
  { sessionId, path, upload, onProgress }: { sessionId: string; path: string; upload: string; onProgress?: (share: number) => void },
): Promise<UploadedFile> {
  const file = await open(path, "r").catch((cause: unknown) => {
    throw new AskboxError("VALIDATION", `${path} cannot be read: ${(cause as { code?: string }).code ?? String(cause)}.`, { cause });
  });
  try {
    const state = await file.stat();
    if (!state.isFile()) throw new AskboxError("VALIDATION", `${path} is not a file.`);
    return await sendParts<UploadedFile>(hub, { file, size: state.size, name: path, query: { session: sessionId, upload }, onProgress });
  } finally {
    await file.close();
  }
}

/** Uploads a picture that a question will show, as its asker. Resolves with the `src` that names it there. Throws as `uploadFile` does. */
export async function uploadPicture(
  hub: FoundHub,
  { file, size, name }: { file: FileHandle; size: number; name: string },
): Promise<string> {
  const { src } = await sendParts<{ src: string; sha256: string }>(hub, { file, size, name, query: { name, upload: randomUUID() } });
  return src;
}

interface Parts {
  file: FileHandle;
  size: number;
  /** For errors. */
  name: string;
  query: Readonly<Record<string, string>>;
  onProgress?: ((share: number) => void) | undefined;
}

async function sendParts<Done extends { sha256: string }>(hub: FoundHub, { file, size, name, query, onProgress }: Parts): Promise<Done> {
  let offset = 0;
  for (let tries = 0; ; ) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(part, size - offset)), 0, undefined, offset);
    const body = buffer.subarray(0, bytesRead);
    if (bytesRead === 0 && offset < size) throw new AskboxError("VALIDATION", `${name} became shorter while it was read.`);
    const search = new URLSearchParams({ ...query, offset: String(offset), size: String(size) });
    try {
      const headers = { "content-length": String(body.length), "content-type": "application/octet-stream" };
      const { bytes } = await exchange(hub, search, { method: "PATCH", body, headers, timeout, longest: 65_536 });
      const told = readJson(bytes.toString("utf8")) as Done | { offset: number };
      if ("sha256" in told) return told;
      offset = told.offset;
      tries = 0;
      onProgress?.(offset / size);
    } catch (error) {
      const rest: unknown = isAskboxError(error, "CONFLICT") ? error.details?.["offset"] : undefined;
      const mayRetry = isAskboxError(error, "HUB_UNREACHABLE") || typeof rest === "number";
      tries += 1;
      if (!mayRetry || tries >= maxTries) throw error;
      if (typeof rest === "number") offset = rest;
    }
  }
}

async function exchange({ url, token, fingerprint }: FoundHub, query: URLSearchParams, options: HttpTextOptions) {
  const headers = { ...options.headers, authorization: `Bearer ${token}` };
  const answer = await httpBytes(url, `/api/files?${query}`, { ...options, headers, fingerprint }).catch((cause: unknown) => {
    throw new AskboxError("HUB_UNREACHABLE", sentenceFor(cause, url), { cause });
  });
  if (answer.status >= 200 && answer.status < 300) return answer;
  throw refusal(url, answer.status, readJson(answer.bytes.toString("utf8")));
}
