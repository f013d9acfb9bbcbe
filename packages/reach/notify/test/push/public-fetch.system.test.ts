import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fakeClock } from "@askbox/core/testing";
import { expect, onTestFinished, test } from "vitest";
import { post } from "../../src/channels/post.ts";
import { publicFetch } from "../../src/push/subscription.ts";

/** A push service over TLS that answers with the status in the path, and its address. */
async function service() {
  const folder = mkdtempSync(join(tmpdir(), "askbox-tls-"));
  const [keyFile, certFile] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const subject = ["-subj", "/CN=push.example", "-addext", "subjectAltName=DNS:push.example", "-days", "2"];
  const files = ["-keyout", keyFile, "-out", certFile];
  execFileSync("openssl", ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", ...subject, ...files], {
    stdio: "ignore",
  });
  const [key, cert] = [readFileSync(keyFile), readFileSync(certFile)];
  rmSync(folder, { recursive: true });
  const got: string[] = [];
  const server = createServer({ key, cert }, async (request, response) => {
    got.push(`${request.method} ${request.url} ${request.headers["content-length"]} ${request.headers["ttl"]} ${await text(request)}`);
    response.writeHead(Number(request.url?.slice(1)), { location: "/201", "retry-after": "7" }).end("x".repeat(100_000));
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return { got, cert, address: `https://push.example:${(server.address() as AddressInfo).port}` };
}

// promise: push-only-outside
test("a push goes over TLS to an address that was checked, and no redirect is followed", async () => {
  const { got, cert, address } = await service();
  const lookup = (_name: string, _options: object, done: (error: null, found: { address: string; family: number }[]) => void) =>
    done(null, [{ address: "127.0.0.1", family: 4 }]);
  const send = (status: number, tls: { ca?: Buffer } = { ca: cert }) => {
    // The loopback address stands for one outside.
    const fetch = publicFetch({ lookup, isInside: () => false, tls });
    const outgoing = { url: `${address}/${status}`, headers: { ttl: "60" }, body: new Uint8Array(Buffer.from("Ä")) };
    return post(outgoing, fakeClock(), fetch, new AbortController().signal);
  };
  expect(await send(201)).toEqual({ ok: true });
  expect(await send(204)).toEqual({ ok: true });
  expect(await send(429)).toMatchObject({ ok: false, status: 429, after: 7_000, isFinal: false });
  expect(await send(410)).toMatchObject({ ok: false, status: 410, isFinal: true });
  expect(await send(302)).toMatchObject({ ok: false, status: 302, isFinal: true });
  expect(await send(999)).toMatchObject({ ok: false, why: "it answered 999", isFinal: false });
  expect(got).toEqual([201, 204, 429, 410, 302, 999].map((status) => `POST /${status} 2 60 Ä`));
  expect(await send(201, {})).toMatchObject({ ok: false, why: "DEPTH_ZERO_SELF_SIGNED_CERT" });
  expect(got).toHaveLength(6);
});
