import { execFile, execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:https";
import { type AddressInfo, connect, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { WebSocketServer } from "ws";

const folder = mkdtempSync(join(tmpdir(), "askbox-tls-"));
const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];

beforeAll(() => {
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-days", "2", "-keyout", key, "-out", cert];
  execFileSync("openssl", ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", ...subject], {
    stdio: "ignore",
  });
  return () => rmSync(folder, { recursive: true });
});

async function portOf(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** A service that sends back what it gets, over HTTPS and over a socket. */
async function service(): Promise<string> {
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, async (request, response) => {
    response.end(`${request.method} ${(await buffer(request)).toString()}`);
  });
  new WebSocketServer({ server }).on("connection", (socket) => socket.on("message", (data) => socket.send(`heard ${data}`)));
  return `localhost:${await portOf(server)}`;
}

/** What a process with these variables gets from one service and hears from another; or what is wrong. */
async function reach(addresses: readonly string[], env: Record<string, string>) {
  const script = join(import.meta.dirname, "support/reach-out.ts");
  const { PATH = "" } = process.env;
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...addresses], { env: { PATH, NODE_NO_WARNINGS: "1", ...env } });
  return JSON.parse(stdout);
}
const whole = { fetched: "POST Ä", said: "heard Ö" };

test("a service is reached over TLS if its certificate is trusted, and only then", async () => {
  const addresses = [await service(), await service()];
  expect(await reach(addresses, { NODE_EXTRA_CA_CERTS: cert })).toEqual(whole);
  expect(await reach(addresses, {})).toEqual({ fetched: "DEPTH_ZERO_SELF_SIGNED_CERT", said: "DEPTH_ZERO_SELF_SIGNED_CERT" });
});

// promise: chat-through-proxy
test("a service is reached through the proxy that Node is told to use", async () => {
  const addresses = [await service(), await service()];
  const tunnels: string[] = [];
  const proxy = createHttpServer().on("connect", ({ url = "" }, client, head) => {
    tunnels.push(url);
    const server = connect(Number(url.split(":")[1]), "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      server.write(head);
      server.pipe(client).pipe(server);
    });
    for (const side of [server, client]) side.on("error", () => void [server, client].map((each) => each.destroy()));
  });
  const env = { NODE_EXTRA_CA_CERTS: cert, HTTPS_PROXY: `http://127.0.0.1:${await portOf(proxy)}` };
  expect(await reach(addresses, { ...env, NODE_USE_ENV_PROXY: "1" })).toEqual(whole);
  expect(tunnels).toEqual(addresses);
  expect(await reach(addresses, env)).toEqual(whole);
  expect(tunnels).toHaveLength(2);
});
