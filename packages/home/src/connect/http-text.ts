import type { ClientRequest, RequestOptions } from "node:http";
import type { TLSSocket } from "node:tls";

export interface HttpTextOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  /** Idle timeout in milliseconds. */
  timeout: number;
  /** Maximum number of characters; the rest is dropped. */
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
  const { method = "GET", headers, body, timeout, longest, fingerprint, signal } = options;
  const { request } = url.protocol === "https:" ? await import("node:https") : await import("node:http");
  // An agent would open the connection in its own way.
  const connection = fingerprint === undefined ? { agent: false as const } : await pinnedTo(fingerprint);
  return new Promise((resolve, reject) => {
    const requestOptions: RequestOptions = { method, timeout, headers, signal, ...connection };
    const sent: ClientRequest = request(url, requestOptions, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (piece: string) => {
        text = (text + piece).slice(0, longest);
        if (text.length === longest) response.destroy();
      });
      response.on("close", () => resolve({ status: response.statusCode ?? 0, text }));
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
