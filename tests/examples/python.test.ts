import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
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
  const env = { PATH: process.env["PATH"], ASKBOX_HUB: status.url, ASKBOX_TOKEN: token, PYTHONDONTWRITEBYTECODE: "1" };
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
