import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { smallFetch } from "../src/http.ts";

async function served(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close().closeAllConnections());
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/path?q=1`;
}

const form = () => {
  const made = new FormData();
  made.set("file", new Blob(["Ä"], { type: "text/plain" }), "a.txt");
  return made;
};

test.each<[string, RequestInit, object]>([
  ["nothing", {}, { method: "GET", body: "", type: null, length: null }],
  ["a post of nothing", { method: "POST" }, { method: "POST", body: "", type: null, length: "0" }],
  [
    "JSON",
    { method: "PATCH", body: '"Ä"', headers: { "content-type": "application/json" } },
    { method: "PATCH", body: '"Ä"', type: "application/json", length: "4" },
  ],
  [
    "a form",
    { method: "POST", body: new URLSearchParams({ a: "b c" }) },
    { body: "a=b+c", type: "application/x-www-form-urlencoded;charset=UTF-8" },
  ],
  [
    "a form with a file",
    { method: "POST", body: form() },
    { body: expect.stringContaining("\r\n\r\nÄ\r\n"), type: expect.stringContaining("multipart/form-data; boundary=") },
  ],
])("sends %s as fetch does", async (_what, init, expected) => {
  const url = await served(async (request, response) => {
    const { method, url: path, headers } = request;
    const body = (await buffer(request)).toString("utf8");
    const [type = null, length = null, agent] = [headers["content-type"], headers["content-length"], headers["user-agent"]];
    response.setHeader("set-cookie", ["a=1", "b=2"]).end(JSON.stringify({ method, path, body, type, length, agent }));
  });
  const response = await smallFetch(url, init);
  expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  expect(await response.json()).toMatchObject({ path: "/path?q=1", agent: "askbox", ...expected });
});

test("follows no redirect, and takes answers without a body", async () => {
  const url = await served((request, response) => {
    if (request.method === "PUT") response.writeHead(204).end();
    else response.writeHead(302, { location: "/other" }).end("moved");
  });
  const moved = await smallFetch(url, {});
  expect([moved.status, moved.headers.get("location"), await moved.text()]).toEqual([302, "/other", "moved"]);
  const empty = await smallFetch(url, { method: "PUT" });
  expect([empty.status, await empty.text()]).toEqual([204, ""]);
});

test("rejects with the code of what failed, and when it is aborted before or within an answer", async () => {
  const gone = await served((request) => request.socket.destroy());
  await expect(smallFetch(gone, {})).rejects.toMatchObject({ cause: { code: "ECONNRESET" } });
  await expect(smallFetch("http://127.0.0.1:1/", {})).rejects.toMatchObject({ cause: { code: "ECONNREFUSED" } });
  const end = new AbortController();
  const silent = await served(() => end.abort());
  await expect(smallFetch(silent, { signal: end.signal })).rejects.toMatchObject({ cause: { name: "AbortError" } });
  const halting = await served((_request, response) => void response.writeHead(200, { "content-length": "9" }).write("half"));
  const later = new AbortController();
  const response = await smallFetch(halting, { signal: later.signal });
  later.abort();
  await expect(response.text()).rejects.toThrow();
});

test("ends the connection of an answer that nobody reads on", async () => {
  const closed = Promise.withResolvers<void>();
  const url = await served((request, response) => {
    request.socket.on("close", closed.resolve);
    response.write("x");
  });
  const { body } = await smallFetch(url, {});
  await body?.cancel();
  await closed.promise;
});
