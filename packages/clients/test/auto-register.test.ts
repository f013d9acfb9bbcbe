import { chmodSync } from "node:fs";
import type { LogLevel } from "@askbox/core";
import type { ClientName } from "@askbox/home";
import { homeFiles, homeFolders } from "@askbox/home";
import { expect, test } from "vitest";
import { autoRegister } from "../src/auto-register.ts";
import { type Machine, openMachine } from "./support/machine.ts";

const file = "home/.gemini/antigravity/mcp_config.json";
const launch = ["/opt/node", "/opt/askbox.js"];

function startHub(machine: Machine, names: readonly ClientName[]) {
  const logged: [LogLevel, string][] = [];
  const files = homeFiles(homeFolders({ env: { ASKBOX_HOME: machine.path("data") } }));
  const stop = autoRegister({ names, files, place: machine.place, launch, log: (level, message) => logged.push([level, message]) });
  return { stop, logged };
}

test("a hub enters askbox in a client's settings while it runs, and takes it out when it stops", () => {
  const machine = openMachine();
  machine.write(file, '{ "mcpServers": { "mine": {} } }');
  const { stop } = startHub(machine, ["antigravity"]);
  expect(JSON.parse(machine.read(file)).mcpServers).toEqual({
    mine: {},
    askbox: { command: "/opt/node", args: ["/opt/askbox.js", "mcp", "--tools", "cn_ask_user"] },
  });
  stop();
  expect(machine.read(file)).toBe('{ "mcpServers": { "mine": {} } }');
});

test("a hub that was killed leaves its entry to the next one, which keeps it or takes it out", () => {
  const machine = openMachine();
  startHub(machine, ["antigravity"]);
  const once = machine.read(file);
  const second = startHub(machine, ["antigravity"]);
  expect(machine.read(file)).toBe(once);
  expect(second.logged.map(([level]) => level)).not.toContain("warn");
  // Killed again, and the setting is gone meanwhile.
  startHub(machine, []);
  expect(machine.files()).toEqual({});
});

test("what a person has set up stays as it is, at the start and at the stop", () => {
  const machine = openMachine();
  machine.install("antigravity");
  const before = machine.read(file);
  const { stop } = startHub(machine, ["antigravity"]);
  expect(machine.read(file)).toBe(before);
  stop();
  expect(machine.read(file)).toBe(before);
});

test("a person who sets it up while the hub runs keeps it when the hub stops", () => {
  const machine = openMachine();
  const { stop } = startHub(machine, ["antigravity"]);
  machine.install("antigravity");
  stop();
  expect(machine.read(file)).toContain("askbox");
  machine.uninstall("antigravity");
  expect(machine.files()).toEqual({});
});

test("settings that cannot be changed are logged, and the hub runs on", () => {
  const machine = openMachine();
  machine.write(file, "{,");
  chmodSync(machine.path(file), 0o600);
  const { stop, logged } = startHub(machine, ["antigravity", "cursor"]);
  expect(logged).toContainEqual(["warn", "Antigravity could not be registered"]);
  expect(machine.files()["home/.cursor/mcp.json"]).toContain("askbox");
  stop();
  expect(machine.files()).toEqual({ [file]: "{," });
});
