import type { ClientRequest, RequestOptions } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { TLSSocket } from "node:tls";
import { AskboxError, isAskboxError } from "@askbox/core";

/**
 * Small requests to a hub, over HTTP or TLS with a pinned certificate, and what they say of an address: that a hub answers, or in one
 * sentence what is wrong with it and whether that may pass.
 */

/** A remote hub may be slow. Milliseconds. */
const probeTimeout = 10_000;
const maxAnswerLength = 4_096;
const maxTries = 4;

const certificateFaults = [
  ...["DEPTH_ZERO_SELF_SIGNED_CERT", "SELF_SIGNED_CERT_IN_CHAIN", "UNABLE_TO_VERIFY_LEAF_SIGNATURE"],
  ...["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "CERT_HAS_EXPIRED", "ERR_TLS_CERT_ALTNAME_INVALID"],
];

/** Temporary errors: a hub that is starting, a network or a tunnel that is down. Anything else is a wrong address that a person must correct. */
const passing = ["ENOENT", "ECONNREFUSED", "ECONNRESET", "ETIMEDOUT", "ENETUNREACH", "EHOSTUNREACH", "ENETDOWN", "EAI_AGAIN", "EPIPE"];

/** Whether a hub that could not be reached may become available soon, according to `probeHub` or a connection. */
export function mayPass(error: unknown): boolean {
  if (!isAskboxError(error, "HUB_UNREACHABLE")) return false;
  const { code, name } = Object(error.cause) as { code?: unknown; name?: unknown };
  return error.details?.["mayPass"] === true || name === "TimeoutError" || (typeof code === "string" && passing.includes(code));
}

/**
 * Makes sure that a hub responds at a configured address, and otherwise says in one sentence what is wrong. Sends no token. Throws
 * `HUB_UNREACHABLE`, `ABORTED`.
 */
export async function probeHub(
  url: string,
  { fingerprint, signal, timeout = probeTimeout }: Partial<Pick<HttpTextOptions, "fingerprint" | "signal" | "timeout">> = {},
): Promise<void> {
  let answer: { status: number; text: string };
  try {
    // A longer response does not come from a hub, so the rest is not read.
    answer = await withRetries(() => httpText(url, "/healthz", { timeout, longest: maxAnswerLength, fingerprint, signal }));
  } catch (cause) {
    if (signal?.aborted) throw new AskboxError("ABORTED", "Looking for a hub was cancelled.", { cause });
    throw new AskboxError("HUB_UNREACHABLE", sentenceFor(cause, url), { cause });
  }
  if (isHub(answer.text)) return;
  if (answer.status >= 500) {
    // From a load balancer whose hub is down.
    const sentence = `The hub at ${url} cannot be reached (HTTP ${answer.status}); check the address and the network.`;
    throw new AskboxError("HUB_UNREACHABLE", sentence, { details: { mayPass: true } });
  }
  const { hostname } = addressOf(url, "/").url;
  throw new AskboxError(
    "HUB_UNREACHABLE",
    answer.status === 403
      ? `The server at ${url} refuses the name ${hostname}; if it is an askbox hub, add the name to hosts in its config.json.`
      : `The server at ${url} is not an askbox hub; correct the address.`,
  );
}

/** A load balancer drops connections to a hub that has just died; a retry reaches another hub. */
async function withRetries<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      if (tries === maxTries || (error as { code?: string }).code !== "ECONNRESET") throw error;
      await pause(100 * tries);
    }
  }
}

/** What is wrong with a hub whose address was requested in vain, and what to do. */
export function sentenceFor(cause: unknown, url: string): string {
  const { code = "", message = "" } = cause as { code?: string; message?: string };
  const { socketPath, url: at } = addressOf(url, "/");
  if (socketPath !== undefined) {
    const why = code === "ENOENT" || code === "ECONNREFUSED" ? "nothing listens there now" : code || message;
    return `The hub at ${url} cannot be reached (${why}); check the tunnel or the mount, and that the hub runs.`;
  }
  const { protocol, hostname } = at;
  const isSecure = protocol === "https:";
  const other = url.replace(/^https?/, isSecure ? "http" : "https");
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return `There is no host ${hostname}; correct the address.`;
  if (isSecure && (code === "EPROTO" || code.startsWith("ERR_SSL"))) return `The hub at ${url} does not speak https; write ${other}.`;
  if (certificateFaults.includes(code)) {
    return `The certificate of ${url} is not trusted (${code}); set NODE_EXTRA_CA_CERTS to its CA's file.`;
  }
  if (!isSecure && (code === "ECONNRESET" || code.startsWith("HPE_"))) {
    return `The server at ${url} does not speak http; if the hub is behind https, write ${other}.`;
  }
  if (code === "ECONNREFUSED") return `No askbox hub answers at ${url}; start it, or correct the address.`;
  return `The hub at ${url} cannot be reached (${code || message}); check the address and the network.`;
}

function isHub(text: string): boolean {
  try {
    const { status, instance, version } = JSON.parse(text) as Record<string, unknown>;
    return status === "ok" && typeof instance === "string" && typeof version === "string";
  } catch {
    return false;
  }
}

export interface HttpTextOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** Idle timeout in milliseconds. */
  timeout: number;
  /** Maximum number of bytes; the rest is dropped. */
  longest: number;
  /** The SHA-256 of the expected certificate, from `hub.json`; no CA is needed then. */
  fingerprint?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** Where a path of a hub is: its URL, and the socket in the file system that leads there, if its address is `unix:/path/of/a/socket`. */
export function addressOf(hub: string, path: string): { url: URL; socketPath?: string } {
  if (!hub.startsWith("unix:")) return { url: new URL(path, hub) };
  return { url: new URL(path, "http://localhost"), socketPath: hub.slice("unix:".length) };
}

/**
 * Sends one request to a hub's address and returns the response as text. Uses `node:http` rather than `fetch`, whose first use takes about 20 ms, and which
 * cannot pin a certificate; loaded here, since not every program needs it. Rejects with Node's error; its code is `ETIMEDOUT` on a timeout.
 */
export async function httpText(hub: string, path: string, options: HttpTextOptions): Promise<{ status: number; text: string }> {
  const { status, bytes } = await httpBytes(hub, path, options);
  return { status, text: bytes.toString("utf8") };
}

/** The same as bytes, with their type. */
export async function httpBytes(
  hub: string,
  path: string,
  options: HttpTextOptions,
): Promise<{ status: number; type: string; bytes: Buffer }> {
  const { url, socketPath } = addressOf(hub, path);
  const { method = "GET", headers, body, timeout, longest, fingerprint, signal } = options;
  const { request } = url.protocol === "https:" ? await import("node:https") : await import("node:http");
  // An agent would open the connection in its own way.
  const connection = fingerprint === undefined ? { agent: false as const } : await pinnedTo(fingerprint);
  return new Promise((resolve, reject) => {
    const requestOptions: RequestOptions = {
      method,
      timeout,
      headers,
      signal,
      ...connection,
      ...(socketPath !== undefined && { socketPath }),
    };
    const sent: ClientRequest = request(url, requestOptions, (response) => {
      const pieces: Buffer[] = [];
      let length = 0;
      response.on("data", (piece: Buffer) => {
        pieces.push(piece.subarray(0, longest - length));
        length += piece.length;
        if (length >= longest) response.destroy();
      });
      const { statusCode: status = 0, headers: received } = response;
      response.on("close", () => resolve({ status, type: received["content-type"] ?? "", bytes: Buffer.concat(pieces) }));
      response.on("error", reject);
    });
    sent.on("timeout", () => sent.destroy(Object.assign(new Error("no answer"), { code: "ETIMEDOUT" })));
    sent.on("error", reject);
    sent.end(body);
  });
}

/**
 * Connects only to the certificate with this SHA-256, whatever its name, date or issuer: a hub's own clients know it from `hub.json`, which
 * only their user can write.
 */
export async function pinnedTo(fingerprint: string): Promise<{ createConnection(options: object): TLSSocket }> {
  const { connect } = await import("node:tls");
  return {
    createConnection(options) {
      const socket = connect({ ...options, rejectUnauthorized: false, ALPNProtocols: ["http/1.1"] });
      // Before any other listener gets the connection, and so before anything is sent.
      socket.prependOnceListener("secureConnect", () => {
        if (socket.getPeerCertificate().fingerprint256 === fingerprint) return;
        socket.destroy(Object.assign(new Error("another certificate"), { code: "ERR_TLS_CERT_ALTNAME_INVALID" }));
      });
      return socket;
    },
  };
}
