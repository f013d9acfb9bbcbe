import { execFileSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { readDeskFile, readHubFile, requestHub } from "@askbox/home";
import { expect, onTestFinished, test } from "vitest";
import { eventsClient } from "../../../tests/mcp/http/events-client.ts";
import { receivers } from "../src/event-webhooks.ts";
import { connect, startReady, temporaryHome, until } from "./support.ts";

/** A receiver over TLS: `/200` answers with that status, and everything else that could be tried on its sender. */
async function receiver() {
  const folder = mkdtempSync(join(tmpdir(), "askbox-tls-"));
  const [keyFile, certFile] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const subject = ["-subj", "/CN=hooks.example", "-addext", "subjectAltName=DNS:hooks.example", "-days", "2"];
  const files = ["-keyout", keyFile, "-out", certFile];
  execFileSync("openssl", ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", ...subject, ...files], {
    stdio: "ignore",
  });
  const [key, cert] = [readFileSync(keyFile), readFileSync(certFile)];
  rmSync(folder, { recursive: true });
  const got: string[] = [];
  const server = createServer({ key, cert }, async (request, response) => {
    got.push(`${request.method} ${request.headers.host?.split(":")[0]} ${request.url} ${await text(request)}`);
    const { port } = server.address() as AddressInfo;
    const location = `https://hooks.example:${port}/elsewhere`;
    response.writeHead(Number(request.url?.slice(1)), { location });
    // An endless body, of which the sender wants the beginning only.
    const drip = () => response.write("x".repeat(50_000)) && setImmediate(drip);
    if (request.url === "/201") drip();
    else response.end('{"challenge":"y"}');
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.closeAllConnections());
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return { got, cert, host: `hooks.example:${(server.address() as AddressInfo).port}` };
}

// promise: events-only-outside
test("events go over TLS to the name that was checked, no redirect is followed, and no more is read than a challenge has", async () => {
  const { got, cert, host } = await receiver();
  const lookup = (_name: string, _options: object, done: (error: null, found: { address: string; family: number }[]) => void) =>
    done(null, [{ address: "127.0.0.1", family: 4 }]);
  const { post } = receivers([host], { lookup, tls: { ca: cert } });
  const sent = { headers: {}, body: "hello", signal: AbortSignal.timeout(60_000) };
  expect(await post(`https://${host}/200`, sent)).toEqual({ status: 200, text: '{"challenge":"y"}' });
  expect(await post(`https://${host}/201`, sent)).toEqual({ status: 201, text: "x".repeat(4_096) });
  expect(await post(`https://${host}/307`, sent)).toEqual({ status: 307, text: "" });
  expect(await post(`https://${host}/500`, sent)).toEqual({ status: 500, text: "" });
  expect(got).toEqual(["/200", "/201", "/307", "/500"].map((path) => `POST hooks.example ${path} hello`));
  expect(await receivers([host], { lookup }).post(`https://${host}/200`, sent)).toBe("tls_error");
  expect(got).toHaveLength(4);
});

/** A hub whose agent, with a token of its own, has subscribed to its events. */
async function subscribed() {
  const fixture = (what: string) => new URL(`./fixtures/tls/one.${what}.pem`, import.meta.url).pathname;
  const [key, cert] = [readFileSync(fixture("key")), readFileSync(fixture("cert"))];
  const got: { id: unknown; body: { type?: string; challenge?: string } }[] = [];
  const server = createServer({ key, cert }, async (request, response) => {
    const body = JSON.parse(await text(request));
    got.push({ id: request.headers["webhook-id"], body });
    response.end(JSON.stringify({ challenge: body.challenge }));
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const host = `localhost:${(server.address() as AddressInfo).port}`;

  const home = temporaryHome();
  const configure = (mcpEvents: string) =>
    writeFileSync(join(home.folder, "config.json"), JSON.stringify({ mcpEvents, mcpEventHosts: [host] }), { mode: 0o600 });
  configure("webhook");
  const trusting = { ...home, env: { ...home.env, NODE_EXTRA_CA_CERTS: fixture("cert") } };
  const start = () => startReady(trusting, { store: "sqlite" });
  const hub = await start();
  const desk = await connect(home, { role: "desk" });
  const url = () => readHubFile(home.folders)?.url ?? "";
  const asDesk = () => ({ url: url(), token: readDeskFile(home.folders)?.deskToken ?? "" });
  const { token, id } = (await requestHub(asDesk(), {
    method: "POST",
    path: "/api/tokens",
    body: { name: "agent", scope: "asker" },
  })) as { token: string; id: string };
  const post = (message: unknown, { headers = {} }: { headers?: Record<string, string> } = {}) =>
    fetch(`${url()}/mcp`, {
      method: "POST",
      headers: {
        ...headers,
        authorization: `Bearer ${token}`,
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
      },
      body: JSON.stringify(message),
    });
  const client = eventsClient({ post });
  const delivery = { mode: "webhook", url: `https://${host}/hook`, secret: `whsec_${"A".repeat(32)}` };
  const { result } = await client.request("events/subscribe", { name: "question.changed", delivery });
  expect(result).toMatchObject({ id: expect.stringMatching(/^sub_/) });
  const names = () => got.map(({ id: messageId, body }) => body.type ?? messageId);
  const isSent = (name: string) => names().includes(name);
  const revoke = () => requestHub(asDesk(), { method: "DELETE", path: `/api/tokens/${id}` });
  return { home, hub, desk, client, names, isSent, configure, start, revoke };
}

// promise: events-end-with-token
test("a hub that was killed is followed by one that sends what happened since; a revoked token's receiver is told, and gets nothing more", async () => {
  const { home, hub, desk, client, names, isSent, start, revoke } = await subscribed();
  const [one, other, last] = [await client.ask("One?"), await client.ask("Other?"), await client.ask("Last?")];
  await desk.desk.cancel(one);
  await until(() => isSent(`${one}_ended`));
  hub.child.kill("SIGKILL");
  await hub.ended;

  await start();
  const next = await connect(home, { role: "desk" });
  await next.desk.cancel(other);
  await until(() => isSent(`${other}_ended`));
  await revoke();
  await until(() => isSent("terminated"));
  await next.desk.cancel(last).catch(() => {});
  // One that the killed hub could not note may come twice.
  expect([...new Set(names())]).toEqual(["verification", `${one}_ended`, `${other}_ended`, "terminated"]);
});

// promise: events-end-with-token
test("a token that is revoked while events are off has no subscription when they are on again", async () => {
  const { home, hub, desk, client, names, isSent, configure, start, revoke } = await subscribed();
  const sessionId = await client.ask("One?");
  hub.child.kill("SIGKILL");
  await hub.ended;
  await desk.close();
  configure("poll");
  const without = await start();
  const next = await connect(home, { role: "desk" });
  await next.desk.cancel(sessionId);
  await revoke();
  without.child.kill("SIGKILL");
  await without.ended;
  configure("webhook");
  await start();
  await until(() => isSent("terminated"));
  expect(names()).toEqual(["verification", "terminated"]);
});

test("what is signed is verified by the rule of Standard Webhooks", () => {
  const key = Buffer.alloc(32, 7);
  const expected = createHmac("sha256", key).update("id.1.body").digest("base64");
  expect(receivers([]).sign(`whsec_${key.toString("base64")}`, "id.1.body")).toBe(`v1,${expected}`);
});
