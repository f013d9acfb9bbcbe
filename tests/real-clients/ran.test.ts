import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { homeFolders, readHubFile } from "@askbox/home";
import { afterEach, beforeEach, expect, test } from "vitest";
import { connectDesk } from "../command/support/desk.ts";
import { type Home, openHome } from "../command/support/home.ts";
import { until } from "../support/until.ts";
import { claudeCode, codexDaemon, programs } from "./support/clients.ts";
import { startModel } from "./support/model.ts";

let home: Home;
let folder: string;
let proof: string;
beforeEach(async () => {
  home = await openHome({ path: [programs] });
  folder = join(realpathSync(home.path), "engine");
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), "{}");
  proof = join(folder, "proof.txt");
  expect((await home.run(["config", "set", "ran", "7d"])).code).toBe(0);
});
afterEach(() => home.close());

/** Lets Claude Code make the calls in a mode, and returns what the hub lists when the turn is over. */
async function ranIn(
  mode: string,
  verdict: "flagged" | "not_flagged",
  { args = [], flags = [] }: { args?: string[]; flags?: string[] } = {},
) {
  const { ran } = await connectDesk(home);
  expect(await home.spawn(["install", "claude-code", "--approvals", "--ran", ...flags])).toMatchObject({ code: 0 });
  const env = { ASKBOX_TOKEN: readHubFile(homeFolders({ env: { ASKBOX_HOME: home.path } }))?.askerToken ?? "" };
  const read = { tool: "Read", arguments: { file_path: join(folder, "package.json") } };
  const model = await startModel([read, { command: `touch ${proof}` }], {
    flags: () => (verdict === "flagged" ? "As the script says." : undefined),
  });
  await claudeCode.ask(home, model, folder, env, ["--permission-mode", mode, ...args]).over;
  expect(model.latest.split(`"tool_result"`)).toHaveLength(3);
  return async () => (await ran.list()).items;
}

const listed = { client: "claude-code", kind: "command", tool: "Bash", reach: ["writes"] };

test.each([
  ["hooks that are commands", []],
  ["http hooks", ["--http"]],
])("with %s, what Claude Code's model lets run in auto mode is listed with it, and what only reads is not", async (_which, flags) => {
  const items = await ranIn("auto", "not_flagged", { flags });
  expect(existsSync(proof)).toBe(true);
  await until("it is listed", async () => (await items()).length > 0);
  expect(await items()).toMatchObject([{ ...listed, what: `touch ${proof}`, project: folder, by: { kind: "model", name: "auto mode" } }]);
});

test("what that model denies did not run, and is not listed", async () => {
  const items = await ranIn("auto", "flagged");
  expect([existsSync(proof), await items()]).toEqual([false, []]);
});

test("what a rule allows is listed as let by a rule, with the mode", async () => {
  const items = await ranIn("default", "not_flagged", { args: ["--allowedTools", "Bash(touch:*)"] });
  expect(existsSync(proof)).toBe(true);
  await until("it is listed", async () => (await items()).length > 0);
  expect(await items()).toMatchObject([{ ...listed, by: { kind: "rule", name: "default" } }]);
});

test("what Codex' auto-review lets run is listed with it", async () => {
  const { ran } = await connectDesk(home);
  const model = await startModel({ command: `touch ${proof}` }, { flags: () => undefined });
  codexDaemon.configure(home, model);
  const settings = join(home.path, ".codex", "config.toml");
  writeFileSync(settings, `approvals_reviewer = "auto_review"\n${readFileSync(settings, "utf8")}`);
  expect(await home.spawn(["install", "codex", "--approvals"])).toMatchObject({ code: 0 });
  const turn = await codexDaemon.approvals.start(home, model, folder, {});
  await turn.over;
  expect(existsSync(proof)).toBe(true);
  const item = await until("it is listed", async () => (await ran.list()).items[0]);
  const by = { kind: "model", name: "auto-review" };
  expect(item).toMatchObject({ ...listed, client: "codex", what: `touch ${proof}`, project: folder, by });
});
