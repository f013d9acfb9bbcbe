import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { type Home, openHome } from "../command/support/home.ts";
import { until } from "../support/until.ts";

const script = resolve(import.meta.dirname, "../../examples/python/askbox_rest.py");
let home: Home;
beforeEach(async () => {
  home = await openHome();
  await home.serve();
});
afterEach(() => home.close());

/** Runs the program with a token of this scope. */
async function start(scope: "asker" | "desk", ...args: string[]) {
  const status = JSON.parse((await home.run(["hub", "status", "--json"])).stdout) as { url: string };
  const token = (await home.run(["token", "create", `bot-${scope}`, "--scope", scope])).stdout.trim().split("\n").at(-1) ?? "";
  return run({ ASKBOX_HUB: status.url, ASKBOX_TOKEN: token }, ...args);
}

function run(hub: { ASKBOX_HUB: string; ASKBOX_TOKEN: string }, ...args: string[]) {
  const env = { ...hub, PATH: process.env["PATH"], PYTHONDONTWRITEBYTECODE: "1" };
  const child = spawn("python3", [script, ...args], { env, stdio: ["ignore", "pipe", "inherit"] });
  home.whenClosed(async () => void child.kill("SIGKILL"));
  return child;
}

test("Python's standard library is enough to ask, to reply to what is asked back, and to wait", async () => {
  const { stdout } = await start("asker", "ask", "Deploy?");
  const { id } = await home.pending();
  await home.run(["ask-back", id, "Which version?"]);
  await until("the program's reply", async () => (await home.run(["show", id])).stdout.includes("can't explain further"));
  await home.run(["answer", id, "yes"]);
  expect(await text(stdout)).toBe("yes\n");
});

test("a question that is declined is no answer", async () => {
  const { stdout } = await start("asker", "ask", "Deploy?");
  await home.run(["cancel", (await home.pending()).id]);
  expect(await text(stdout)).toBe("no answer: cancelled\n");
});

test("Python's standard library is enough to follow the inbox", async () => {
  const { stdout } = await start("desk", "follow");
  let events = "";
  stdout.setEncoding("utf8").on("data", (chunk: string) => {
    events += chunk;
  });
  await until("the snapshot", () => events.includes("snapshot"));
  const { stdout: answer } = await start("asker", "ask", "Deploy?");
  await until("the question", () => events.includes("session pending"));
  await home.run(["answer", (await home.pending()).id, "no"]);
  expect(await text(answer)).toBe("no\n");
  await until("the answer", () => events.includes("session answered"));
});

/** A hub that gives one raw response after another, and closes the connection after each. */
async function scripted(...responses: string[]): Promise<{ ASKBOX_HUB: string; ASKBOX_TOKEN: string }> {
  const server = createServer((socket) => {
    socket.once("data", () => socket.end(responses.shift() ?? ""));
    socket.on("error", () => {});
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return { ASKBOX_HUB: `http://127.0.0.1:${address.port}`, ASKBOX_TOKEN: "token" };
}

const cut = "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{";
const unavailable = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n";

test("a reply that is cut off is asked for again", async () => {
  const answered = JSON.stringify({ id: "1", status: "answered", answered: true, answers: [{ values: ["yes"] }] });
  const whole = `HTTP/1.1 200 OK\r\nContent-Length: ${answered.length}\r\n\r\n${answered}`;
  const { stdout } = run(await scripted(cut, unavailable, whole), "ask", "Deploy?");
  expect(await text(stdout)).toBe("yes\n");
});

test("the inbox is followed when the store is back, and after an event that is cut off", async () => {
  const event = (type: string) => `data: {"type":"${type}"}\n\n`;
  const stream = (...pieces: string[]) =>
    `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join("")}`;
  const { stdout } = run(await scripted(unavailable, stream(event("first"), 'data: {"ty'), stream(event("second"))), "follow");
  let events = "";
  stdout.setEncoding("utf8").on("data", (chunk: string) => {
    events += chunk;
  });
  await until("both events", () => /first\s+second/.test(events));
});
