import { chmodSync } from "node:fs";
import type { LogLevel } from "@askbox/core";
import type { ClientName } from "@askbox/core/clients";
import { homeFiles, homeFolders } from "@askbox/home";
import { expect, test } from "vitest";
import { autoRegister } from "../src/install.ts";
import { type Machine, openMachine } from "./support/machine.ts";

const file = "home/.gemini/antigravity/mcp_config.json";
const launch = ["/opt/node", "/opt/askbox.js"];

function start(machine: Machine, names: readonly ClientName[]) {
  const logged: [LogLevel, string][] = [];
  const files = homeFiles(homeFolders({ env: { ASKBOX_HOME: machine.path("data") } }));
  autoRegister({ names, files, system: machine.system, launch, log: (level, message) => logged.push([level, message]) });
  return logged;
}

test("askbox is added to a client's settings and stays there until the client is removed from the list", () => {
  const machine = openMachine();
  machine.write(file, '{ "mcpServers": { "mine": {} } }');
  start(machine, ["antigravity"]);
  const once = machine.read(file);
  expect(JSON.parse(once).mcpServers).toEqual({
    mine: {},
    askbox: { command: "/opt/node", args: ["/opt/askbox.js", "mcp", "--tools", "cn_ask_user"] },
  });
  expect(start(machine, ["antigravity"]).map(([level]) => level)).not.toContain("warn");
  expect(machine.read(file)).toBe(once);
  start(machine, []);
  expect(machine.read(file)).toBe('{ "mcpServers": { "mine": {} } }');
});

test("a person's own set-up is not changed, whether the client is listed or not", () => {
  const machine = openMachine();
  machine.install("antigravity");
  const before = machine.read(file);
  start(machine, ["antigravity"]);
  expect(machine.read(file)).toBe(before);
  start(machine, []);
  expect(machine.read(file)).toBe(before);
});

test("a person who also sets it up keeps it when the client is removed from the list", () => {
  const machine = openMachine();
  start(machine, ["antigravity"]);
  machine.install("antigravity");
  start(machine, []);
  expect(machine.read(file)).toContain("askbox");
  machine.uninstall("antigravity");
  expect(machine.files()).toEqual({});
});

test("settings that cannot be changed are logged, and the others are changed", () => {
  const machine = openMachine();
  machine.write(file, "{,");
  chmodSync(machine.path(file), 0o600);
  expect(start(machine, ["antigravity", "cursor"])).toContainEqual(["warn", "Antigravity could not be registered"]);
  expect(machine.files()["home/.cursor/mcp.json"]).toContain("askbox");
  start(machine, []);
  expect(machine.files()).toEqual({ [file]: "{," });
});
