import type { ClientRequest, RequestOptions } from "node:http";
import type { TLSSocket } from "node:tls";

export interface HttpTextOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  /** Milliseconds without a sign of life. */
  timeout: number;
  /** Characters; what comes after them is left. */
  longest: number;
  /** The SHA-256 of the certificate that the other side must have, as `hub.json` tells it; it then needs nobody to vouch for it. */
  fingerprint?: string | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * One request, and what comes back as text. `node:http` rather than `fetch`, whose first use costs some 20 ms, and which takes no certificate;
 * loaded here, since not every program comes to need it. Rejects with Node's error; its code is `ETIMEDOUT` when nothing comes.
 */
export async function httpText(url: URL, options: HttpTextOptions): Promise<{ status: number; text: string }> {
  const { method = "GET", headers, body, timeout, longest, fingerprint, signal } = options;
  const { request } = url.protocol === "https:" ? await import("node:https") : await import("node:http");
  // An agent would make the connection its own way.
  const connection = fingerprint === undefined ? { agent: false as const } : await pinnedTo(fingerprint);
  return new Promise((resolve, reject) => {
    const given: RequestOptions = { method, timeout, ...(headers && { headers }), ...(signal && { signal }), ...connection };
    const sent: ClientRequest = request(url, given, (response) => {
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
 * Connects to the one certificate with this SHA-256 and to no other, whatever name or date it has and whoever signed it: a hub's own clients know
 * it from `hub.json`, which only their user can write.
 */
export async function pinnedTo(fingerprint: string): Promise<{ createConnection(options: object): TLSSocket }> {
  const { connect } = await import("node:tls");
  return {
    createConnection(options) {
      const socket = connect({ ...options, rejectUnauthorized: false, ALPNProtocols: ["http/1.1"] });
      // Before any other listener sees the connection, and so before anything is sent.
      socket.prependOnceListener("secureConnect", () => {
        if (socket.getPeerCertificate().fingerprint256 === fingerprint) return;
        socket.destroy(Object.assign(new Error("another certificate"), { code: "ERR_TLS_CERT_ALTNAME_INVALID" }));
      });
      return socket;
    },
  };
}
