/**
 * The hub's files: upload one in parts, discard it, and load or save its bytes. A lost connection costs one part, which is sent again; what the
 * hub refuses is thrown in its own words (`Refused`).
 */
import type { Clock } from "@askbox/core";
import type { AnswerFile } from "@askbox/core/questions";
import { basePath } from "../base-path.ts";
import { signed } from "../boot/signed.ts";

/** Bytes of one request: it arrives in time over a phone's connection, too, and is all that a lost one costs. */
const part = 524_288;
/** How often a part is sent again, with pauses that double from this many ms. */
const [maxTries, firstPause] = [8, 500];

/** What the hub refused, in its own words. */
export class Refused extends Error {
  readonly status: number;
  readonly offset: unknown;

  constructor(status: number, message: string, offset: unknown) {
    super(message);
    this.status = status;
    this.offset = offset;
  }
}

/** One request to the hub's files. */
const ask = (clock: Clock, method: string, search: string, init: RequestInit = {}): Promise<Response> =>
  askRest(clock, method, "/api/files", { ...init, search });

/** One request to the hub's REST interface, which proves this browser's login by its key. Throws `Refused`, and when it isn't reached. */
export async function askRest(
  clock: Clock,
  method: string,
  path: string,
  { search = "", ...init }: RequestInit & { search?: string } = {},
): Promise<Response> {
  const send = async (at: number) => {
    const proof = await signed(JSON.stringify([method, path, search]), at);
    const token =
      proof &&
      btoa(JSON.stringify([proof.id, proof.origin, proof.at, proof.mac]))
        .replace(/\+/g, "-")
        .replace(/\//g, "_");
    return fetch(`${basePath}${path}${search}`, {
      ...init,
      method,
      ...(token && { headers: { authorization: `Bearer page.${token}` } }),
    });
  };
  let response = await send(clock.now());
  // This browser's clock may be wrong: once more with the hub's time.
  const now = Date.parse(response.headers.get("date") ?? "");
  if (response.status === 401 && Number.isFinite(now)) response = await send(now);
  if (response.ok) return response;
  const { detail, offset } = (await response.json().catch(() => ({}))) as { detail?: string; offset?: unknown };
  throw new Refused(response.status, detail ?? response.statusText, offset);
}

const queryOf = (values: Readonly<Record<string, string>>) => `?${new URLSearchParams(values)}`;

interface Upload {
  clock: Clock;
  sessionId: string;
  file: File;
  /** Called with the share that has arrived, 0 to 1. */
  onProgress(share: number): void;
  signal: AbortSignal;
}

/** Uploads a file in parts, each again if the connection is lost. Throws `Refused`, and when the signal aborts. */
export async function uploadFile({ clock, sessionId, file, onProgress, signal }: Upload): Promise<AnswerFile> {
  const upload = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  let offset = 0;
  for (let tries = 0; ; ) {
    const search = queryOf({ session: sessionId, upload, offset: String(offset), size: String(file.size) });
    try {
      const response = await ask(clock, "PATCH", search, { body: file.slice(offset, offset + part), signal });
      const told = (await response.json()) as { offset: number } | { sha256: string; size: number; mimeType: string };
      if ("sha256" in told) return { ...told, name: file.name };
      offset = told.offset;
      tries = 0;
      onProgress(offset / file.size);
    } catch (error) {
      signal.throwIfAborted();
      const rest = error instanceof Refused ? error.offset : undefined;
      const isOver = error instanceof Refused && typeof rest !== "number" && error.status < 500 && error.status !== 429;
      tries += 1;
      if (isOver || tries >= maxTries) throw error;
      if (typeof rest === "number") offset = rest;
      await new Promise<void>((again) => clock.setTimer(firstPause * 2 ** (tries - 1), again));
    }
  }
}

/** Removes an upload that no draft names any more; if that fails, the hub does so in a day. */
export const discardFile = (clock: Clock, sessionId: string, sha256: string): void =>
  void ask(clock, "DELETE", queryOf({ session: sessionId, id: sha256 })).catch(() => {});

/** The bytes of a file. */
export async function fileBytes(clock: Clock, sessionId: string, sha256: string): Promise<Blob> {
  return (await ask(clock, "GET", queryOf({ session: sessionId, id: sha256 }))).blob();
}

/** Downloads a file. */
export function download(clock: Clock, name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // Revoked later, since some browsers start reading it only after the click.
  clock.setTimer(60_000, () => URL.revokeObjectURL(url));
}

/** A file name with the current local time. */
export function fileName(stem: string, at: number, extension: string): string {
  const date = new Date(at);
  const two = (part: number) => String(part).padStart(2, "0");
  return `${stem}-${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}.${extension}`;
}
