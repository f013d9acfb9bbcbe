import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Desk, SessionView } from "@askbox/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { connectDesk } from "../command/support/desk.ts";
import { type Home, openHome } from "../command/support/home.ts";
import { killProcess } from "../faults/support/processes.ts";
import { until } from "../support/until.ts";
import { askersOf, programs, realClients } from "./support/clients.ts";
import { type ScriptedModel, startModel } from "./support/model.ts";

const client = realClients.find(({ name }) => name === "claude-code");

let home: Home;
let model: ScriptedModel;
let desk: Desk;
let folder: string;
beforeEach(async () => {
  home = await openHome({ path: [programs] });
  folder = join(realpathSync(home.path), "engine");
  mkdirSync(folder);
  model = await startModel({ tool: "file_issue", arguments: {} });
  desk = (await connectDesk(home)).desk;
  const issues = {
    type: "stdio",
    command: process.execPath,
    args: [join(import.meta.dirname, "support/form-server.ts")],
    alwaysLoad: true,
  };
  writeFileSync(join(home.path, ".claude.json"), JSON.stringify({ mcpServers: { issues } }));
  mkdirSync(join(home.path, ".claude"));
  writeFileSync(join(home.path, ".claude", "settings.json"), JSON.stringify({ permissions: { allow: ["mcp__issues__file_issue"] } }));
  expect(await home.spawn(["install", "claude-code", "--approvals"])).toMatchObject({ code: 0 });
});
afterEach(() => home.close());

/** Starts a turn in which the server asks, and settles its form. */
async function settled(how: (form: SessionView) => Promise<unknown>): Promise<string> {
  const turn = client?.ask?.(home, model, folder, {});
  const form = await until("the form is in the inbox", async () => (await desk.list({ statuses: ["pending"] })).items[0]);
  expect(form).toMatchObject({ title: "issues asks: Where should it go?", asker: { agentId: "mcp:issues", project: folder } });
  await how(form);
  await turn?.over;
  return model.results.join();
}

describe("a form of another MCP server in Claude Code, with nobody at it", () => {
  test("returns to its server as a person filled it in", async () => {
    const answers = [
      { questionId: "repository", values: ["mill"] },
      { questionId: "copies", values: ["2"] },
    ];
    const told = await settled(({ id }) => desk.answer(id, { answers }));
    expect(told).toContain(JSON.stringify(JSON.stringify({ action: "accept", content: { repository: "mill", copies: 2 } })).slice(1, -1));
  });

  test("is declined by a person who gives a reason", async () => {
    expect(await settled(({ id }) => desk.cancel(id, { reason: "Not today" }))).toContain("decline");
  });

  test("is Claude Code's own again when the command that asks is killed, and is withdrawn", async () => {
    const told = await settled(async ({ id }) => {
      for (const pid of askersOf(home.path, "hook")) killProcess(pid);
      await expect.poll(async () => (await desk.get(id)).status).toBe("cancelled");
    });
    expect(told).toContain("cancel");
  });
});
