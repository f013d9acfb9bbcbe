import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";

/** Kinds of frames of the mobile connection server (Chromium, `google_apis/gcm/base/mcs_util.h`). */
const kinds = { ping: 0, pong: 1, login: 2, loggedIn: 3, data: 8 } as const;
const version = 41;

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let left = value;
  for (; left > 127; left = Math.floor(left / 128)) bytes.push((left % 128) | 128);
  return Buffer.of(...bytes, left);
}
/** A field of a protocol buffer that is a text, bytes or another message. */
function field(number: number, value: string | Uint8Array): Buffer {
  const bytes = Buffer.from(value as Uint8Array);
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);
}
const fixed = (number: number, value: bigint): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return Buffer.concat([varint(number * 8 + 1), bytes]);
};
const frame = (kind: number, message: Uint8Array): Buffer => Buffer.concat([Buffer.of(kind), varint(message.length), message]);

/** The kinds of all frames that are whole, and what is left. */
function framesIn(bytes: Buffer): { found: number[]; rest: Buffer } {
  const found: number[] = [];
  let at = 0;
  while (at + 1 < bytes.length) {
    let [size, scale, next] = [0, 1, at + 1];
    for (; next < bytes.length; next += 1, scale *= 128) {
      const byte = bytes.readUInt8(next);
      size += (byte & 127) * scale;
      if (byte < 128) break;
    }
    if (next + 1 + size > bytes.length) break;
    found.push(bytes.readUInt8(at));
    at = next + 1 + size;
  }
  return { found, rest: bytes.subarray(at) };
}

/** A certificate for this machine, which a browser takes with `--ignore-certificate-errors`. */
function certificate(): { key: Buffer; cert: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), "askbox-push-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const subject = ["-subj", "/CN=127.0.0.1", "-days", "2", "-keyout", key, "-out", cert];
  execFileSync("openssl", ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", ...subject], {
    stdio: "ignore",
  });
  const read = { key: readFileSync(key), cert: readFileSync(cert) };
  rmSync(folder, { recursive: true });
  return read;
}

interface Registered {
  app: string;
  /** Such as `wp:http://127.0.0.1:4000/#…`. */
  subtype: string;
  sender: string;
}

/**
 * A stand-in for the push service that Chromium uses: a browser that was started with its `flags` registers, keeps a connection, and decrypts
 * what is pushed to it.
 */
export async function googlePush() {
  const registered = new Map<string, Registered>();
  const connections = new Set<TLSSocket>();
  /** What was not sent yet. */
  const waiting: Buffer[] = [];
  let isHeld = false;
  const send = () => {
    const [socket] = connections;
    if (socket === undefined || isHeld) return;
    for (const message of waiting.splice(0)) socket.write(message);
  };
  const pairing = createServer(async (request, response) => {
    if (request.url === "/checkin") {
      request.resume();
      // `stats_ok`, and the ids of the device.
      return void response
        .setHeader("content-type", "application/x-protobuf")
        .end(Buffer.concat([Buffer.of(8, 1), fixed(7, 4_711n), fixed(8, 815n)]));
    }
    const form = new URLSearchParams(await text(request));
    if (form.has("delete")) return void response.end(`token=${form.get("app")}`);
    const token = randomUUID();
    registered.set(token, {
      app: form.get("app") ?? "",
      subtype: form.get("X-subtype") ?? "",
      sender: form.get("sender") ?? "",
    });
    response.end(`token=${token}`);
  }).listen(0, "127.0.0.1");
  const line = createTlsServer(certificate(), (socket) => {
    let bytes: Buffer = Buffer.alloc(0);
    let isGreeted = false;
    socket.on("error", () => {});
    socket.on("close", () => connections.delete(socket));
    socket.on("data", (chunk) => {
      bytes = Buffer.concat([bytes, chunk]);
      if (!isGreeted && bytes.length > 0) {
        isGreeted = true;
        bytes = bytes.subarray(1);
        socket.write(Buffer.of(version));
      }
      const { found, rest } = framesIn(bytes);
      bytes = rest;
      for (const kind of found) {
        if (kind === kinds.ping) socket.write(frame(kinds.pong, Buffer.alloc(0)));
        if (kind !== kinds.login) continue;
        socket.write(frame(kinds.loggedIn, field(1, "askbox-test")));
        connections.add(socket);
        send();
      }
    });
  }).listen(0, "127.0.0.1");
  await Promise.all([once(pairing, "listening"), once(line, "listening")]);
  const at = (server: { address(): unknown }) => `127.0.0.1:${(server.address() as AddressInfo).port}`;
  let sent = 0;
  return {
    flags: [
      `--gcm-checkin-url=http://${at(pairing)}/checkin`,
      `--gcm-registration-url=http://${at(pairing)}/register`,
      `--gcm-mcs-endpoint=https://${at(line)}`,
      "--ignore-certificate-errors",
    ],
    /** Keeps what comes, until it is let go. */
    hold() {
      isHeld = true;
    },
    letGo() {
      isHeld = false;
      send();
    },
    /** What a hub posts to the browser's endpoint. */
    async fetch(url: string, init: RequestInit): Promise<Response> {
      const { headers } = new Request(url, { method: "POST", headers: init.headers ?? {} });
      const browser = registered.get(url.split("/").at(-1) ?? "");
      if (browser === undefined) return new Response(null, { status: 404 });
      sent += 1;
      const data = (name: string, value: string) => field(7, Buffer.concat([field(1, name), field(2, value)]));
      const message = frame(
        kinds.data,
        Buffer.concat([
          field(3, browser.sender),
          field(5, browser.app),
          data("subtype", browser.subtype),
          data("content-encoding", headers.get("content-encoding") ?? ""),
          field(9, `message-${sent}`),
          field(21, init.body as Uint8Array),
        ]),
      );
      waiting.push(message);
      send();
      return new Response(null, { status: 201 });
    },
    async close() {
      for (const socket of connections) socket.destroy();
      pairing.closeAllConnections();
      await Promise.all([pairing, line].map((server) => new Promise((closed) => server.close(closed))));
    },
  };
}
