import { execFile } from "node:child_process";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { claudeEvents } from "../clients/support/claude-events.ts";
import { openDesk } from "../command/support/desk.ts";
import { type Home, openHome } from "../command/support/home.ts";
import { until } from "../support/until.ts";

// A machine that somebody else runs: it has a token that can ask, and the socket or address of the hub.

let home: Home;
let url: string;
let machine: { token: string; name: string };

beforeEach(async () => {
  home = await openHome();
  await home.serve();
  url = JSON.parse(readFileSync(join(home.path, "hub.json"), "utf8")).url;
  machine = await joined("build-7");
});
afterEach(() => home.close());

async function joined(name: string): Promise<typeof machine> {
  const { stdout } = await home.run(["invite", "--name", name, "--json"]);
  const { code } = JSON.parse(stdout);
  const answer = await fetch(new URL("/auth/join", url), { method: "POST", body: JSON.stringify({ code, name: "x" }) });
  return (await answer.json()) as typeof machine;
}

const call = (method: string, path: string, body?: object, token = machine.token) =>
  fetch(new URL(path, url), {
    method,
    headers: { authorization: `Bearer ${token}`, connection: "close" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
const ask = { questions: [{ question: "Which?", type: "text" }] };

/** A connection that has said who it is; what the hub answers to that. */
async function hello(role: "asker" | "desk") {
  const socket = new WebSocket(new URL("/ws", url.replace("http", "ws")));
  onTestFinished(() => socket.terminate());
  socket.on("error", () => {});
  const closed = new Promise<number>((resolve) => socket.once("close", resolve));
  socket.once("open", () =>
    socket.send(JSON.stringify({ hello: { protocol: 2, token: machine.token, role, surface: "cli", agent: { name: "x", version: "1" } } })),
  );
  const answer = await new Promise<Record<string, unknown>>((resolve) =>
    socket.once("message", (text) => resolve(JSON.parse(String(text)))),
  );
  return { socket, closed, answer };
}

test("its token can ask and nothing else, by any method and path of the hub", async () => {
  const mine = ((await (await call("POST", "/api/sessions", ask)).json()) as { id: string }).id;
  const document = (await (await call("GET", "/openapi.json")).json()) as { paths: Record<string, Record<string, unknown>> };
  const wrote: string[] = [];
  const tried = Object.entries(document.paths).flatMap(([path, methods]) => Object.keys(methods).map((method) => ({ path, method })));
  expect(tried.length).toBeGreaterThan(20);
  for (const { path, method } of tried) {
    const { status } = await call(method.toUpperCase(), path.replaceAll(/\{\w+\}/g, mine), method === "get" ? undefined : {});
    if (status < 400) wrote.push(`${method} ${path}`);
  }
  // Its own session, the files that it may upload, and what everybody may see.
  expect(wrote.sort()).toMatchInlineSnapshot(`
    [
      "get /api/sessions/{id}",
    ]
  `);
  for (const [method, path] of [
    ["POST", "/auth/codes"],
    ["POST", "/auth/invites"],
    ["GET", "/auth/devices"],
    ["GET", "/metrics"],
  ] as const) {
    expect((await call(method, path, method === "POST" ? {} : undefined)).status, path).toBe(403);
  }
  expect((await hello("desk")).answer).toMatchObject({ error: { code: "FORBIDDEN" } });
});

test("what another machine asked is not there for it, and neither is the hub's own", async () => {
  const other = await joined("other");
  const theirs = ((await (await call("POST", "/api/sessions", ask, other.token)).json()) as { id: string }).id;
  const asked = home.start(["ask", "Mine?"]);
  const [, begin = ""] = await asked.says(/Asked as (\w{8})/);
  const own = JSON.parse((await home.run(["show", begin, "--json"])).stdout).id;
  for (const id of [theirs, own]) {
    for (const [method, path] of [
      ["GET", `/api/sessions/${id}`],
      ["POST", `/api/sessions/${id}/resume`],
      ["POST", `/api/sessions/${id}/withdraw`],
      ["POST", `/api/sessions/${id}/answer`],
    ] as const) {
      expect([403, 404], `${method} ${path}`).toContain((await call(method, path, method === "POST" ? {} : undefined)).status);
    }
    expect(JSON.parse((await home.run(["show", id, "--json"])).stdout).status).toBe("pending");
  }
  asked.child.kill("SIGINT");
  await asked.done;
});

test("it can't ask in another machine's name, by REST, the wire, hooks or MCP", async () => {
  const { desk } = await openDesk(home, "process");
  const lie = { client: { name: "claude-code" }, machine: "bastion", project: "/home/ada" };
  await call("POST", "/api/sessions", { ...ask, asker: lie });
  const { socket } = await hello("asker");
  socket.send(JSON.stringify({ id: 1, op: "a", method: "ask", params: { request: ask, asker: lie } }));
  const hook = call("POST", "/hooks/claude-code", {
    ...claudeEvents.command,
    machine: "bastion",
    askbox: { machine: "bastion", isAttended: true },
  });
  const mcp = call("POST", "/mcp", {
    ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
    params: { name: "ask_user", arguments: { ...ask, machine: "bastion" }, _meta: { machine: "bastion" } },
  });
  for (const each of [hook, mcp]) each.catch(() => {});
  const pending = () => desk.list({ statuses: ["pending"] }).then(({ items }) => items);
  await until("three have asked", async () => (await pending()).length >= 3);
  for (const { asker } of await pending()) expect(asker.machine).toBe("build-7");
});

test("a machine that is removed is cut off within a second, and what it has asked says why it is over", async () => {
  const { desk } = await openDesk(home, "process");
  const id = ((await (await call("POST", "/api/sessions", ask)).json()) as { id: string }).id;
  const { closed } = await hello("asker");
  const waiting = call("GET", `/api/sessions/${id}?wait=60000`).then(
    ({ status }) => status,
    () => 0,
  );
  const hook = call("POST", "/hooks/claude-code", claudeEvents.command).then(
    ({ status }) => status,
    () => 0,
  );
  await until("the hook has asked", async () => (await desk.list({ statuses: ["pending"] })).items.length === 2);
  const began = performance.now();
  const revoked = await home.run(["machines", "revoke", "build-7"]);
  expect(revoked).toMatchObject({ code: 0, stdout: "build-7 can't ask here any more.\n" });
  await closed;
  expect([401, 0, 204, 503]).toContain(await waiting);
  expect([401, 0, 204]).toContain(await hook);
  expect(performance.now() - began).toBeLessThan(1_000);
  await until("nothing of it is pending", async () => (await desk.list({ statuses: ["pending"] })).items.length === 0);
  const { items } = await desk.list({ statuses: ["cancelled"] });
  expect(items.map(({ outcome }) => outcome?.kind === "cancelled" && outcome.reason)).toContain("The machine build-7 was removed.");
  expect((await call("POST", "/api/sessions", ask)).status).toBe(401);
});

test("a code is used up by the first of many, and a thousand guesses from one address get nothing", async () => {
  const { code } = JSON.parse((await home.run(["invite", "--json"])).stdout);
  const join = (guess: string) => fetch(new URL("/auth/join", url), { method: "POST", body: JSON.stringify({ code: guess, name: "x" }) });
  const guessed = new Map<number, number>();
  for (let guess = 0; guess < 1_000; guess += 1) {
    const { status } = await join(`${code.slice(0, -4)}${String(guess).padStart(4, "0")}`);
    guessed.set(status, (guessed.get(status) ?? 0) + 1);
  }
  expect([...guessed.keys()].sort()).toEqual([401, 429]);
  expect(guessed.get(401)).toBe(20);
  const first = await Promise.all(Array.from({ length: 10 }, () => join(code)));
  expect(first.filter(({ status }) => status === 201)).toHaveLength(1);
});

test.skipIf(process.platform === "win32")("the hub's socket is for its owner only, and it takes no file's place", async () => {
  const socket = join(home.path, "hub.sock");
  expect(statSync(socket).mode & 0o777).toBe(0o600);
  expect(statSync(home.path).mode & 0o077).toBe(0);
  if (process.getuid?.() === 0) {
    const script = `require("node:net").connect(process.argv[1]).on("error", ({ code }) => console.log(code)).on("connect", () => console.log("connected"))`;
    const said = await new Promise((resolve) =>
      execFile(process.execPath, ["-e", script, socket], { uid: 65_534, gid: 65_534, cwd: "/" }, (_error, stdout) =>
        resolve(stdout.trim()),
      ),
    );
    expect(said).toBe("EACCES");
  }
  const other = await openHome();
  onTestFinished(() => other.close());
  const file = join(other.path, "notes.txt");
  writeFileSync(file, "mine");
  const { code, stderr } = await other.spawn(["hub", "--socket", file]);
  expect([code, stderr, readFileSync(file, "utf8")]).toEqual([2, expect.stringContaining("it is another file"), "mine"]);
  expect(readdirSync(other.path)).toContain("notes.txt");
});
