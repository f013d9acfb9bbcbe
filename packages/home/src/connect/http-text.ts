import type { ClientRequest, RequestOptions } from "node:http";
import type { TLSSocket } from "node:tls";

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

/**
 * Sends one request and returns the response as text. Uses `node:http` rather than `fetch`, whose first use takes about 20 ms, and which
 * cannot pin a certificate; loaded here, since not every program needs it. Rejects with Node's error; its code is `ETIMEDOUT` on a timeout.
 */
export async function httpText(url: URL, options: HttpTextOptions): Promise<{ status: number; text: string }> {
  const { status, bytes } = await httpBytes(url, options);
  return { status, text: bytes.toString("utf8") };
}

/** The same as bytes, with their type. */
export async function httpBytes(url: URL, options: HttpTextOptions): Promise<{ status: number; type: string; bytes: Buffer }> {
  const { method = "GET", headers, body, timeout, longest, fingerprint, signal } = options;
  const { request } = url.protocol === "https:" ? await import("node:https") : await import("node:http");
  // An agent would open the connection in its own way.
  const connection = fingerprint === undefined ? { agent: false as const } : await pinnedTo(fingerprint);
  return new Promise((resolve, reject) => {
    const requestOptions: RequestOptions = { method, timeout, headers, signal, ...connection };
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
