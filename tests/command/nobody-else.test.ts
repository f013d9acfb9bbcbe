import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { startAgent } from "../faults/support/agent.ts";
import { faultHome } from "../faults/support/home.ts";
import { answerOf, pendingSession } from "../faults/support/questions.ts";

const preload = (name: string) => `--import=${pathToFileURL(join(import.meta.dirname, "support", name)).href}`;

// promise: nothing-leaves
test("askbox connects to nothing but its hub, whatever is asked, answered, checked or set up", async () => {
  const home = faultHome();
  const file = join(home.folder, "connections.txt");
  writeFileSync(file, "");
  const env = { NODE_OPTIONS: preload("record-connections.ts"), RECORD_CONNECTIONS: file };
  await home.startHub({ env });
  const agent = await startAgent(home, { env });
  const call = agent.ask("Anybody listening?");
  const { desk } = await home.connect({ role: "desk" });
  const { id } = await pendingSession(desk, "Anybody listening?");
  for (const args of [
    ["list"],
    ["show", id],
    ["open", "--print"],
    ["doctor"],
    ["install", "cursor"],
    ["uninstall", "cursor"],
    ["hub", "status"],
  ]) {
    expect((await home.run(args, { env })).code, args.join(" ")).toBe(0);
  }
  await desk.answer(id, answerOf("nobody"));
  expect((await call.reply).result).toMatchObject({ answered: true });
  await home.run(["hub", "stop"], { env });
  const to = new Set(
    readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line !== ""),
  );
  expect([...to]).toEqual(["127.0.0.1"]);
});

test("askbox mcp loads neither the other commands nor the hub before it lists its tools", async () => {
  const home = faultHome();
  const file = join(home.folder, "loads.txt");
  writeFileSync(file, "");
  const agent = await startAgent(home, { env: { NODE_OPTIONS: preload("record-loads.ts"), RECORD_LOADS: file } });
  const loaded = readFileSync(file, "utf8")
    .split("\n")
    .flatMap((url) => /\/apps\/askbox\/dist\/(?:chunks\/)?(?<name>.+?)(?:-[\w-]{8})?\.js$/.exec(url)?.groups?.["name"] ?? []);
  agent.closeStdin();
  expect(loaded).toContain("main");
  const others = [
    "list",
    "show",
    "answer",
    "ask",
    "hub",
    "install",
    "doctor",
    "demo",
    "config",
    "program",
    "commander",
    "react",
    "ink",
    "hono",
  ];
  expect(loaded.filter((name) => others.includes(name))).toEqual([]);
});
