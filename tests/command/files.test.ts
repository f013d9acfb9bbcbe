import { existsSync } from "node:fs";
import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../support/until.ts";
import { openHome } from "./support/home.ts";

// promise: other-user-reads-nothing, sessions-owner-only
test.skipIf(process.platform === "win32")("everything that askbox stores can only be read by its owner", async () => {
  const home = await openHome();
  onTestFinished(() => home.close());
  const receiver = createServer((_, response) => response.writeHead(500).end());
  await new Promise<void>((listening) => receiver.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void receiver.close());
  const env = { ASKBOX_HOME: join(home.path, "box"), ASKBOX_ATTENTION: "command" };
  const run = (...args: string[]) => home.run(args, { env });
  // A file that others can already read: its copy must not be readable.
  await mkdir(join(home.path, ".cursor"));
  await writeFile(join(home.path, ".cursor/mcp.json"), "{}", { mode: 0o644 });

  const webhooks = JSON.stringify([{ url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}` }]);
  for (const args of [
    ["config", "set", "webhooks", webhooks],
    ["config", "set", "attentionCommand", "exit 0"],
    ["install", "cursor"],
    ["agent", "add", "builder"],
    ["token", "create", "ci", "--scope", "asker"],
  ]) {
    expect(await run(...args), args.join(" ")).toMatchObject({ code: 0 });
  }
  const link = new URL((await run("open", "--print")).stdout.trim());
  const code = new URLSearchParams(link.hash.slice(1)).get("login");
  expect((await fetch(new URL("/auth/login", link), { method: "POST", body: JSON.stringify({ code }) })).status).toBe(200);
  const asked = home.start(["ask", "Whose is it?"], { env });
  const [, id = ""] = await asked.says(/Asked as (\w{8})/);

  const kept = async () => {
    const entries = await readdir(env.ASKBOX_HOME, { recursive: true });
    // SQLite's own files are deleted when the hub stops.
    const modes = entries.map(async (name) => {
      const found = await stat(join(env.ASKBOX_HOME, name)).catch(() => undefined);
      return found === undefined ? [] : [[name, found.mode & 0o077] as const];
    });
    return (await Promise.all(modes)).flat();
  };
  await until("somebody was called to the question", () => existsSync(join(env.ASKBOX_HOME, "told.json")));
  const running = await kept();
  expect((await run("answer", id, "mine")).code).toBe(0);
  expect((await asked.done).stdout).toBe("mine\n");
  expect((await run("hub", "stop")).code).toBe(0);
  const all = [...running, ...(await kept()), ["", (await stat(env.ASKBOX_HOME)).mode & 0o077] as const];
  expect(all.filter(([, others]) => others !== 0)).toEqual([]);
  const names = new Set(all.map(([name]) => name));
  for (const name of [
    ...["askbox.db", "askbox.db-wal", "hub.json", "last-hub.json", "desk.json", "devices.json", "tokens.json", "agents.json"],
    ...["webhooks.json", "told.json", "clients.json", "client-backups", "hub.lock", "config.json", "logs/askbox.log"],
  ]) {
    expect(names, name).toContain(name);
  }
});
