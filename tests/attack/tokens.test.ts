import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { attackedHub } from "./support/attacked-hub.ts";

/** What is no token, with a mark that must not be in a log. */
const tokens = (real: string) =>
  [
    `${real}\nMARK`,
    `${real} MARK`,
    "MARK\u4e2d",
    "MARK\u0000\u0007",
    `MARK${"x".repeat(900)}`,
    '"MARK" is an invalid header value',
  ].flatMap((token) => [token, `page.${token}`]);

// promise: secrets-constant-time-unlogged
test("a hub answers what cannot be a token with one sentence, and logs no part of it", async () => {
  const hub = await attackedHub({ ASKBOX_DEBUG: "true" });
  const answers = await Promise.all(
    tokens(hub.tokens.asker).map(async (token) => {
      const socket = new WebSocket(new URL("/ws", hub.url.href.replace("http", "ws")));
      const hello = { protocol: 2, token, role: "asker", agent: { name: "x", version: "1" } };
      socket.once("open", () => socket.send(JSON.stringify({ hello })));
      const told = await new Promise((resolve) => socket.once("message", (text) => resolve(JSON.parse(String(text)))));
      socket.terminate();
      return told;
    }),
  );
  for (const answer of answers) expect(answer).toEqual({ error: { code: "UNAUTHORIZED", message: "The hub does not know this token." } });
  for (const token of tokens(hub.tokens.asker)) {
    const body = JSON.stringify({ code: token });
    const login = await fetch(new URL("/auth/login", hub.url), { method: "POST", body, headers: { "content-type": "application/json" } });
    expect(login.status).toBeGreaterThanOrEqual(400);
    const path = new URL(`/api/sessions?limit=${encodeURIComponent(token)}`, hub.url);
    expect((await fetch(path, { headers: { authorization: "Bearer MARK" } })).status).toBe(401);
  }
  const log = readFileSync(join(hub.home.folder, "logs", "askbox.log"), "utf8");
  expect(log).toContain("The hub is ready");
  expect(log).not.toMatch(/MARK|abx_/);
});
