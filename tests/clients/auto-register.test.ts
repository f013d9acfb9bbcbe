import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Home, openHome } from "../command/support/home.ts";

let home: Home;
let file: string;
beforeEach(async () => {
  home = await openHome();
  file = join(home.path, ".gemini", "antigravity", "mcp_config.json");
  await home.run(["config", "set", "autoRegister", "antigravity"]);
});
afterEach(() => home.close());

const entry = () => JSON.parse(readFileSync(file, "utf8")).mcpServers.askbox;
const expected = () => ({ args: expect.arrayContaining(["mcp", "--tools", "cn_ask_user"]), env: { ASKBOX_HOME: home.path } });

/** Runs a hub until it serves, and stops it. */
async function runHub(): Promise<void> {
  const hub = home.start(["hub"]);
  await hub.says(/Ctrl-C stops it/);
  hub.child.kill("SIGTERM");
  await hub.done;
}

test("a hub adds askbox to the clients named in the config, where it stays until they are removed from the config", async () => {
  await runHub();
  expect(entry()).toMatchObject(expected());
  await home.run(["config", "unset", "autoRegister"]);
  expect(entry()).toMatchObject(expected());
  await runHub();
  expect(existsSync(join(home.path, ".gemini"))).toBe(false);
});

test("`askbox mcp` adds it without a question or a hub, and it stays after its client exits", async () => {
  const server = home.start(["mcp"]);
  await expect.poll(() => existsSync(file) && entry()).toMatchObject(expected());
  expect(existsSync(join(home.path, "hub.json"))).toBe(false);
  server.child.stdin?.end();
  server.child.kill("SIGTERM");
  await server.done;
  expect(entry()).toMatchObject(expected());
});
