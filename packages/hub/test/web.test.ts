import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { type IncomingHttpHeaders, request } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { webFiles } from "../src/web/web-files.ts";
import { startHub, type TestHub } from "./support.ts";

const shell = '<!doctype html><title>askbox</title><script type="module" src="/assets/app-abcd1234.js"></script>';
const script = `console.log(${JSON.stringify("a page ".repeat(400))});`;
let outer: string;
let folder: string;

beforeAll(() => {
  outer = mkdtempSync(join(tmpdir(), "askbox-web-"));
  folder = join(outer, "dist");
  const files = {
    "dist/index.html": shell,
    "dist/icon.svg": "<svg/>",
    "dist/assets/app-abcd1234.js": script,
    "dist/assets/font-abcd1234.woff2": "f".repeat(5_000),
    "dist/.vite/manifest.json": "{}",
    "secret.txt": "outside the folder",
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(outer, path)), { recursive: true });
    writeFileSync(join(outer, path), text);
  }
  symlinkSync(join(outer, "secret.txt"), join(folder, "linked.txt"));
});
afterAll(() => rmSync(outer, { recursive: true, force: true }));

interface Sent {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Sends a request whose target is exactly as given, which URL classes would normalise. */
function get(hub: TestHub, path: string, { method = "GET", ...headers }: Record<string, string> = {}): Promise<Sent> {
  const { hostname, port } = new URL(hub.url);
  return new Promise((resolve, reject) => {
    const sent = request({ agent: false, hostname, port, path, method, headers }, (response) => {
      const pieces: Buffer[] = [];
      response.on("data", (piece: Buffer) => pieces.push(piece));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(pieces) }));
    });
    sent.on("error", reject);
    sent.end();
  });
}

const start = () => startHub({ web: folder });
const asBrowser = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

describe("the page", () => {
  // promise: other-user-reads-nothing, page-policy, question-text-inert
  it("is served at / to everyone, under a policy that allows nothing inline and nothing from other origins", async () => {
    const hub = await start();
    const { status, headers, body } = await get(hub, "/");
    expect([status, body.toString()]).toEqual([200, shell]);
    expect(headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-cache",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
    });
    const policy = new Map(
      headers["content-security-policy"]
        ?.toString()
        .split("; ")
        .map((rule) => [rule.split(" ")[0], rule]),
    );
    expect(policy.get("default-src")).toBe("default-src 'none'");
    expect(policy.get("script-src")).toBe("script-src 'self'");
    expect(policy.get("style-src")).toBe("style-src 'self'");
    expect(policy.get("connect-src")).toBe("connect-src 'self'");
    expect(policy.get("font-src")).toBe("font-src 'self'");
    expect(policy.get("frame-ancestors")).toBe("frame-ancestors 'none'");
    expect(policy.get("form-action")).toBe("form-action 'none'");
    expect(headers["content-security-policy"]).not.toMatch(/unsafe|\*|https?:/);
    for (const power of ["camera", "microphone", "geolocation"]) expect(headers["permissions-policy"]).toContain(`${power}=()`);
    expect(headers).not.toHaveProperty("set-cookie");
    expect(headers).not.toHaveProperty("access-control-allow-origin");
  });

  // promise: page-files-listed
  it("is served to a browser for each of its views, but not for API paths", async () => {
    const hub = await start();
    for (const path of ["/s/01hxyz", "/history", "/history/?q=a%20b", "/s/a%20b", "/index.html?x=1"]) {
      const { status, body } = await get(hub, path, asBrowser);
      expect([path, status, body.toString()]).toEqual([path, 200, shell]);
    }
    for (const path of ["/api/nothing", "/auth/nothing", "/ws", "/mcp", "/sse", "/messages", "/metrics", "/missing.js"]) {
      expect([path, (await get(hub, path, asBrowser)).status]).toEqual([path, 404]);
    }
    expect((await get(hub, "/history", { accept: "application/json" })).status).toBe(404);
    expect((await get(hub, "/history", { ...asBrowser, method: "POST" })).status).toBe(404);
    expect((await get(hub, "/api/sessions", asBrowser)).status).toBe(401);
    expect(JSON.parse((await get(hub, "/healthz", asBrowser)).body.toString())).toMatchObject({ status: "ok" });
  });

  it("is cached for a year if its name contains a hash, and revalidated otherwise", async () => {
    const hub = await start();
    const cached = async (path: string) => (await get(hub, path)).headers["cache-control"];
    expect(await cached("/assets/app-abcd1234.js")).toBe("public, max-age=31536000, immutable");
    expect(await cached("/icon.svg")).toBe("no-cache");
    expect(await cached("/index.html")).toBe("no-cache");
    expect(await cached("/assets/gone-abcd1234.js")).toBe("no-store");
  });

  it("is not sent again to a browser that has it", async () => {
    const hub = await start();
    for (const path of ["/", "/assets/app-abcd1234.js"]) {
      for (const encoding of ["identity", "br", "gzip"]) {
        const headers = { "accept-encoding": encoding };
        const { etag = "" } = (await get(hub, path, headers)).headers;
        expect(etag).toMatch(/^"[\w-]+"$/);
        for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
          const again = await get(hub, path, { ...headers, "if-none-match": tag });
          expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, etag]);
        }
        expect((await get(hub, path, { ...headers, "if-none-match": '"other"' })).status).toBe(200);
      }
    }
  });

  it("is sent with the encoding that the browser prefers", async () => {
    const hub = await start();
    const path = "/assets/app-abcd1234.js";
    const sent = async (accepted: string) => get(hub, path, { "accept-encoding": accepted });
    const [br, gzip, plain] = [await sent("gzip, deflate, br"), await sent("gzip;q=0.8, br;q=0"), await sent("identity")];
    expect([br.headers["content-encoding"], brotliDecompressSync(br.body).toString()]).toEqual(["br", script]);
    expect([gzip.headers["content-encoding"], gunzipSync(gzip.body).toString()]).toEqual(["gzip", script]);
    expect([plain.headers["content-encoding"], plain.body.toString()]).toEqual([undefined, script]);
    for (const { headers, body } of [br, gzip, plain]) {
      expect([headers["content-length"], headers.vary]).toEqual([String(body.length), "Accept-Encoding"]);
    }
    expect(new Set([br, gzip, plain].map(({ headers }) => headers.etag)).size).toBe(3);
    expect((await get(hub, "/assets/font-abcd1234.woff2", { "accept-encoding": "br" })).headers).not.toHaveProperty("content-encoding");
  });

  it("answers HEAD without a body", async () => {
    const hub = await start();
    const { status, headers, body } = await get(hub, "/", { method: "HEAD" });
    expect([status, headers["content-length"], body.length]).toEqual([200, String(shell.length), 0]);
  });

  it("is served again after another build has replaced it", async () => {
    const hub = await start();
    await get(hub, "/");
    writeFileSync(join(folder, "assets/app-efgh5678.js"), "2");
    expect((await get(hub, "/assets/app-efgh5678.js")).status).toBe(404);
    utimesSync(join(folder, "index.html"), new Date(), new Date(Date.now() + 60_000));
    await get(hub, "/");
    expect((await get(hub, "/assets/app-efgh5678.js")).body.toString()).toBe("2");
  });

  it("is served again once a file that could not be read can be", async () => {
    const hub = await start();
    const file = join(folder, "assets/late-abcd1234.js");
    writeFileSync(file, "late");
    utimesSync(join(folder, "index.html"), new Date(), new Date(Date.now() + 120_000));
    await get(hub, "/");
    renameSync(file, `${file}.away`);
    expect((await get(hub, "/assets/late-abcd1234.js")).status).toBe(404);
    renameSync(`${file}.away`, file);
    expect((await get(hub, "/assets/late-abcd1234.js")).body.toString()).toBe("late");
  });

  // promise: host-and-origin-checked
  it("is checked for Host and Origin like everything else", async () => {
    const hub = await start();
    expect((await get(hub, "/", { host: "rebound.example" })).status).toBe(403);
    expect((await get(hub, "/assets/app-abcd1234.js", { origin: "http://127.0.0.1:1" })).status).toBe(403);
  });

  it("is looked up again when its service worker is requested, with which an open page finds a newer build", async () => {
    const worker = join(folder, "service-worker.js");
    writeFileSync(worker, "1");
    utimesSync(join(folder, "index.html"), new Date(), new Date(Date.now() + 180_000));
    const hub = await start();
    expect((await get(hub, "/service-worker.js")).body.toString()).toBe("1");
    writeFileSync(worker, "2");
    utimesSync(join(folder, "index.html"), new Date(), new Date(Date.now() + 240_000));
    expect((await get(hub, "/service-worker.js")).body.toString()).toBe("2");
  });

  it("is read and compressed once for all hubs of the process that have it at the same path", async () => {
    const path = "/assets/app-abcd1234.js";
    const file = await webFiles(folder).at(path);
    expect(file?.encodings.br).toBeDefined();
    expect(await webFiles(folder).at(path)).toBe(file);
    const [shellAtRoot, shellBelow] = await Promise.all(["", "/inbox"].map((each) => webFiles(folder).shell({ path: each, head: "" })));
    expect(shellBelow?.body.toString()).not.toBe("");
    expect(shellBelow).not.toBe(shellAtRoot);
  });
});

describe("what is outside the page's folder", () => {
  // promise: page-files-listed
  it.each([
    "/../secret.txt",
    "/assets/../../secret.txt",
    "/%2e%2e/secret.txt",
    "/%2E%2E%2Fsecret.txt",
    "/..%2fsecret.txt",
    "/..%5csecret.txt",
    "/..\\secret.txt",
    "/....//secret.txt",
    "//secret.txt",
    "/%252e%252e/secret.txt",
    "/secret.txt%00.js",
    "/index.html%00",
    "/%00",
    "/linked.txt",
    "/.vite/manifest.json",
    "/assets",
    "/assets/",
    "http://127.0.0.1/../secret.txt",
    "ABSOLUTE",
    "/etc/passwd",
  ])("cannot be reached by %s", async (path) => {
    const hub = await start();
    const target = path === "ABSOLUTE" ? join(outer, "secret.txt") : path;
    const { status, body } = await get(hub, target);
    // A backslash is no part of a URL at all.
    expect(status).toBe(path.includes("\\") ? 400 : 404);
    expect(body.toString()).not.toContain("outside the folder");
    const navigated = await get(hub, target, asBrowser);
    expect([400, 404, 200]).toContain(navigated.status);
    // A browser that asks for a view gets the shell and never a file.
    if (navigated.status === 200) expect(navigated.body.toString()).toBe(shell);
  });
});

describe("a hub without a page", () => {
  it.each([undefined, tmpdir()])("serves nothing at / (folder %s)", async (web) => {
    const hub = await startHub({ web });
    expect((await get(hub, "/", asBrowser)).status).toBe(404);
  });
});

it("a folder that isn't there is refused before the hub serves anything", async () => {
  await expect(startHub({ web: join(outer, "nope") })).rejects.toMatchObject({
    code: "VALIDATION",
    message: expect.stringMatching(/^web must be the folder of the built web inbox; there is none at .*nope\.$/),
  });
});
