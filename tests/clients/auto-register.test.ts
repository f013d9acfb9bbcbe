import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Home, openHome } from "../command/support/home.ts";

let home: Home;
beforeEach(async () => {
  home = await openHome();
});
afterEach(() => home.close());

test("a hub enters askbox in the clients that the config names while it runs, also after it was killed", async () => {
  const file = join(home.path, ".gemini", "antigravity", "mcp_config.json");
  await home.run(["config", "set", "autoRegister", "antigravity"]);
  const hub = home.start(["hub"]);
  await hub.says(/Ctrl-C stops it/);
  const { askbox } = JSON.parse(readFileSync(file, "utf8")).mcpServers;
  expect(askbox).toMatchObject({ args: expect.arrayContaining(["mcp", "--tools", "cn_ask_user"]), env: { ASKBOX_HOME: home.path } });
  hub.child.kill("SIGTERM");
  await hub.done;
  expect(existsSync(join(home.path, ".gemini"))).toBe(false);

  const killed = home.start(["hub"]);
  await killed.says(/Ctrl-C stops it/);
  killed.child.kill("SIGKILL");
  await once(killed.child, "close");
  expect(existsSync(file)).toBe(true);
  await home.run(["config", "unset", "autoRegister"]);
  const next = home.start(["hub"]);
  await next.says(/Ctrl-C stops it/);
  expect(existsSync(join(home.path, ".gemini"))).toBe(false);
});
