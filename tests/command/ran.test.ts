import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Ran } from "@askbox/core/grants";
import { afterEach, beforeEach, expect, test } from "vitest";
import { claudeEvents } from "../clients/support/claude-events.ts";
import { until } from "../support/until.ts";
import { type Home, openHome } from "./support/home.ts";

let home: Home;
beforeEach(async () => {
  home = await openHome();
});
afterEach(() => home.close());

/** What Claude Code's hook does after each call. */
const reports = (command: string, more: object = {}) => {
  const event = { ...claudeEvents.ran, tool_use_id: command, permission_mode: "auto", tool_input: { command }, ...more };
  return home.spawn(["hook", "claude-code"], { stdin: JSON.stringify(event) });
};
const nothing = { code: 0, stdout: "", stderr: "" };
const listed = async () => JSON.parse((await home.run(["ran", "--json"])).stdout) as Ran[];
const restarts = async () => {
  await home.run(["hub", "stop"]);
  await home.run(["list"]);
};

test("once it is turned on, what the hook reports is listed, outlives the hub, and is removed when it is turned off", async () => {
  expect(await reports("touch before")).toEqual(nothing);
  expect((await home.run(["ran"])).stderr).toContain("The hub doesn't keep what ran without you.");
  await home.run(["config", "set", "ran", "7d"]);
  await restarts();
  // More than the hub takes with a request, of which nothing is needed.
  expect(await reports("touch proof.txt", { tool_response: { stdout: "x".repeat(1_000_000) } })).toEqual(nothing);
  await until("it is listed", async () => (await listed()).length > 0);
  await restarts();
  expect(await listed()).toMatchObject([{ what: "touch proof.txt", by: { kind: "model", name: "auto mode" }, reach: ["writes"] }]);
  const file = join(home.path, "ran.db");
  expect(existsSync(file)).toBe(true);
  await home.run(["config", "unset", "ran"]);
  await restarts();
  expect([existsSync(file), existsSync(`${file}-wal`)]).toEqual([false, false]);
  expect(await listed()).toEqual([]);
});

test("without a hub, a report starts none and is forgotten", async () => {
  await home.run(["config", "set", "ran", "7d"]);
  expect(await reports("touch proof.txt")).toEqual(nothing);
  expect(existsSync(join(home.path, "hub.json"))).toBe(false);
  expect(await listed()).toEqual([]);
});
