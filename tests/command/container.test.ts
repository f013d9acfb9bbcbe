import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parse } from "yaml";
import { type Home, openHome } from "./support/home.ts";

const root = join(import.meta.dirname, "../..");
const file = readFileSync(join(root, "Containerfile"), "utf8");
/** The words after an instruction in exec form, a JSON array. */
const wordsOf = (instruction: RegExp): string[] => JSON.parse(new RegExp(`${instruction.source} (\\[.+\\])$`, "m").exec(file)?.[1] ?? "[]");

let home: Home;
beforeEach(async () => {
  home = await openHome();
});
afterEach(() => home.close());

test("the container's command serves on its port, and its health check passes until it exits", async () => {
  const [command, ...start] = [...wordsOf(/^ENTRYPOINT/), ...wordsOf(/^CMD/)];
  expect(command).toBe("askbox");
  expect(start.slice(1)).toEqual(["--host", "0.0.0.0", "--port", /^EXPOSE (\d+)$/m.exec(file)?.[1]]);
  // Here it stays on loopback, on a free port.
  const hub = home.start(["hub", "--host", "127.0.0.1", "--port", "0"], { env: { ASKBOX_HOSTS: "askbox.example.com" } });
  const [, port = ""] = await hub.says(/at http:\/\/127\.0\.0\.1:(\d+) /);
  const [, flag = "", script = ""] = wordsOf(/^ +CMD/);
  const check = () => spawnSync(process.execPath, [flag, script.replace("4141", port)], { timeout: 60_000 }).status;
  expect(check()).toBe(0);
  hub.child.kill("SIGTERM");
  expect((await hub.done).code).toBe(0);
  expect(check()).toBe(1);
});

interface Compose {
  services: Record<string, { environment?: Record<string, string>; command?: string; build?: { dockerfile: string } }>;
  configs: { caddyfile: { content: string } };
}

test("the composed hubs are built from the container's file, keep answers as the guarantees ask, and are reached through the proxy alone", () => {
  const { services, configs } = parse(readFileSync(join(root, "compose.yaml"), "utf8")) as Compose;
  const { hub, redis, proxy } = services;
  expect(hub?.build?.dockerfile).toBe("Containerfile");
  expect(hub).not.toHaveProperty("ports");
  expect(redis).not.toHaveProperty("ports");
  expect(proxy).toMatchObject({ ports: ["80:80", "443:443"] });
  for (const setting of ["--appendonly yes", "--appendfsync always", "--maxmemory-policy noeviction"])
    expect(redis?.command).toContain(setting);
  const { ASKBOX_STORE: store, ...settings } = hub?.environment ?? {};
  expect(services).toHaveProperty(new URL(store ?? "").hostname);
  expect(Object.keys(settings)).toEqual(["ASKBOX_HOSTS", "NODE_OPTIONS"]);
  expect(configs.caddyfile.content).toContain(`dynamic a hub ${/^EXPOSE (\d+)$/m.exec(file)?.[1]}`);
});

test("the catalogues' entries start the MCP server, from the container's file and from the published package", () => {
  const [smithery, docker] = ["smithery.yaml", "deploy/docker-mcp/server.yaml"].map((path) =>
    parse(readFileSync(join(root, path), "utf8")),
  );
  expect(docker).toMatchObject({
    name: "askbox",
    image: "mcp/askbox",
    type: "server",
    run: { command: ["mcp"] },
    source: { dockerfile: "Containerfile" },
    config: { secrets: [{ name: "askbox.token", env: "ASKBOX_TOKEN" }], parameters: { required: ["hub"] } },
  });
  expect(smithery).toMatchObject({ startCommand: { type: "stdio", configSchema: { type: "object" } } });
  const start = runInNewContext(smithery.startCommand.commandFunction) as (config: object) => object;
  expect(JSON.parse(JSON.stringify(start({ hub: "https://askbox.example.com" })))).toEqual({
    command: "npx",
    args: ["-y", "askbox", "mcp"],
    env: { ASKBOX_HUB: "https://askbox.example.com" },
  });
});
