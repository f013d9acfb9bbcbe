import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { claudeEvents } from "../clients/support/claude-events.ts";
import { openDesk } from "../command/support/desk.ts";
import { type Home, openHome, program } from "../command/support/home.ts";
import { png } from "../setup/png.ts";
import { until } from "../support/until.ts";

// A machine that has joined the hub of another by a socket, as in a container that mounts it or at the end of a tunnel.

let hub: Home;
let machine: Home;
let socket: string;

beforeEach(async () => {
  [hub, machine] = await Promise.all([openHome(), openHome()]);
  await hub.serve();
  socket = join(machine.path, "t.sock");
  // Where the socket of the hub would be mounted.
  await lead(join(hub.path, "hub.sock"));
  const { stdout } = await hub.run(["invite", "--name", "build-7", "--at", `unix:${socket}`, "--json"]);
  expect(await machine.run(["join", "-", "--json"], { stdin: `${JSON.parse(stdout).joining}\n` })).toMatchObject({ code: 0 });
});
afterEach(async () => {
  await machine.close();
  await hub.close();
});

let way: { cut(): Promise<void> };
/** Leads connections to a socket; without one, nothing ever answers. */
async function lead(to: string | undefined): Promise<void> {
  const open = new Set<{ destroy(): void }>();
  const server = createServer((here) => {
    open.add(here);
    here.on("error", () => {});
    if (to === undefined) return;
    const there = connect(to);
    open.add(there);
    for (const [one, other] of [
      [here, there],
      [there, here],
    ] as const) {
      one.on("error", () => {}).on("close", () => other.destroy());
      one.pipe(other);
    }
  });
  await new Promise<void>((listening) => server.listen(socket, listening));
  const cut = () =>
    new Promise<void>((closed) => {
      server.close(() => closed());
      for (const one of open) one.destroy();
    });
  way = { cut };
  onTestFinished(cut);
}

const command = JSON.stringify(claudeEvents.command);
const question = JSON.stringify({
  hook_event_name: "PreToolUse",
  tool_name: "AskUserQuestion",
  tool_input: { questions: [{ question: "Which?", header: "W", options: [{ label: "A" }, { label: "B" }], multiSelect: false }] },
  cwd: "/",
  session_id: "s",
});

test("without a way to the hub, a client's own prompts come, and one says why until there is a way again", async () => {
  const hook = (event: string) => machine.spawn(["hook", "claude-code"], { stdin: event, env: { CLAUDE_CODE_ENTRYPOINT: "cli" } });
  await way.cut();
  const absent = [await hook(command), await hook(command), await hook(question)];
  await lead(undefined);
  const silent = [await hook(command), await hook(question)];
  for (const { code } of [...absent, ...silent]) expect(code).toBe(0);
  // A decision is never printed.
  for (const { stdout } of [...absent, ...silent]) expect(stdout).not.toMatch(/decision|updatedInput/);
  expect(absent.map(({ stdout }) => stdout.includes("systemMessage"))).toEqual([true, false, false]);
  expect(JSON.parse(absent[0]?.stdout ?? "").systemMessage).toContain("cannot be reached");
  expect(silent[0]?.stdout).toBe("");

  await way.cut();
  await lead(join(hub.path, "hub.sock"));
  const { only, desk } = await openDesk(hub, "process");
  const asked = machine.start(["hook", "claude-code"]);
  asked.child.stdin.end(command);
  await desk.cancel(await only("pending"));
  await asked.done;
  await way.cut();
  expect((await hook(command)).stdout).toContain("systemMessage");
});

test("a question of askbox ask says where it is answered, and no line says how to do it here", async () => {
  const { only, answer, desk } = await openDesk(hub, "process");
  const asked = machine.start(["ask", "Deploy?", "--type", "confirm"]);
  const id = await only("pending");
  await asked.says(/Asked as/);
  await answer(id, ["yes"]);
  const { code, stdout, stderr } = await asked.done;
  expect([code, stdout]).toEqual([0, "yes\n"]);
  expect(stderr).toBe(
    `Asked as ${id.slice(0, 8)} at the hub at unix:${socket}, where it is answered; waiting 5 min (Ctrl-C withdraws the question).\n`,
  );
  expect((await desk.get(id)).asker.machine).toBe("build-7");
  for (const args of [["list"], ["answer", id.slice(0, 4), "no"], ["token", "list"], ["invite"]]) {
    expect(await machine.run(args)).toMatchObject({ code: 1, stderr: expect.stringContaining("to ask only") });
  }
});

test("a waiting call gets its answer after the way was cut, silent and back, and the person was asked once", async () => {
  const { only, answer, desk } = await openDesk(hub, "process");
  const asked = machine.start(["ask", "Deploy?", "--type", "confirm"]);
  const id = await only("pending");
  await way.cut();
  await until("the hub sees that its asker is gone", async () => (await desk.get(id)).presence?.asker !== "attached");
  await lead(undefined);
  await answer(id, ["yes"]);
  await way.cut();
  await lead(join(hub.path, "hub.sock"));
  expect(await asked.done).toMatchObject({ code: 0, stdout: "yes\n" });
  expect((await desk.list()).items).toHaveLength(1);
});

test("an agent's pictures are read, and the files of an answer are written, on its machine", async () => {
  const project = join(machine.path, "engine");
  mkdirSync(join(project, ".git"), { recursive: true });
  writeFileSync(join(project, "look.png"), png(4, 4, 0));
  const { only, desk } = await openDesk(hub, "process");
  const env = { HOME: machine.path, ASKBOX_HOME: machine.path, PATH: process.env["PATH"] ?? "" };
  const [node = "", ...args] = program;
  const client = new Client({ name: "claude-code", version: "1" });
  await client.connect(new StdioClientTransport({ command: node, args: [...args, "mcp"], cwd: project, env, stderr: "ignore" }));
  onTestFinished(() => client.close());
  const told = client.callTool({
    name: "ask_user",
    arguments: { questions: [{ id: "shot", type: "file", question: "Like this?", images: [{ src: "look.png" }] }] },
  });
  const id = await only("pending");
  const session = await desk.get(id);
  expect(session.asker).toMatchObject({ machine: "build-7", project });
  expect(JSON.stringify(session.questions)).toContain("look.png");
  writeFileSync(join(hub.path, "reply.txt"), "As in the plan.\n");
  expect(await hub.run(["answer", id, join(hub.path, "reply.txt")])).toMatchObject({ code: 0 });
  const written = /[^\s"]*\.askbox\/files[^\s"]*reply\.txt/.exec(JSON.stringify(await told))?.[0] ?? "";
  expect(written.startsWith(project)).toBe(true);
  expect(readFileSync(written, "utf8")).toBe("As in the plan.\n");
});

test("doctor says which ways lead to the hub, in the order in which they are tried, and that the machine was removed, as a question does", async () => {
  const { stdout } = await hub.run(["invite", "--name", "both", "--at", "http://127.0.0.1:9", "--at", `unix:${socket}`, "--json"]);
  await machine.run(["join", "--leave"]);
  expect(await machine.run(["join", JSON.parse(stdout).joining])).toMatchObject({ code: 0 });
  const checks = async () => {
    const { checks: all } = JSON.parse((await machine.run(["doctor", "--json"])).stdout);
    return all
      .filter(({ check }: { check: string }) => ["way", "hub", "store", "attention"].includes(check))
      .map(({ status, message }: never) => `${status} ${message}`);
  };
  expect(await checks()).toEqual([
    expect.stringMatching(/^warn No askbox hub answers at http:\/\/127\.0\.0\.1:9/),
    `ok unix:${socket} leads to the hub, and is used.`,
    "ok This machine has joined the hub as both, and asks there.",
  ]);
  expect((await hub.run(["machines", "revoke", "both"])).code).toBe(0);
  expect((await checks()).at(-1)).toMatch(/^fail The hub doesn't know both any more/);
  expect(await machine.run(["ask", "Deploy?"])).toMatchObject({
    code: 1,
    stderr: `The hub at unix:${socket} doesn't know this machine any more; run \`askbox join --leave\`, and join again.\n`,
  });
  await way.cut();
  expect(await checks()).toEqual([
    expect.stringMatching(/^fail No askbox/),
    expect.stringMatching(/^fail The hub at unix:.* cannot be reached \(nothing listens there now\)/),
  ]);
});

test("the same folder on two machines is two projects, which can be listed apart and together", async () => {
  const { only, desk } = await openDesk(hub, "process");
  const there = machine.start(["ask", "There?"]);
  await only("pending");
  const here = hub.start(["ask", "Here?"]);
  await until("both are asked", async () => (await desk.list({ statuses: ["pending"] })).items.length === 2);
  const list = async (...flags: string[]) => JSON.parse((await hub.run(["list", "--json", ...flags])).stdout).length;
  expect([await list(), await list("--machine", "build-7")]).toEqual([2, 1]);
  there.child.kill("SIGINT");
  here.child.kill("SIGINT");
  await Promise.all([there.done, here.done]);
});
