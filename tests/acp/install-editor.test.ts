import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openDesk } from "../command/support/desk.ts";
import { type Home, openHome } from "../command/support/home.ts";
import { openEditor, outcome, toyAgent } from "./support/editor.ts";

let home: Home;
beforeEach(async () => {
  home = await openHome();
});
afterEach(() => home.close());

// promise: acp-install
test("askbox install zed --acp writes what the editor then starts, and uninstall leaves the file as it was", async () => {
  const file = join(home.path, ".config", "zed", "settings.json");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '// mine\n{ "theme": "One Dark", }\n');
  const agent = toyAgent.join(" ");
  const installed = await home.run(["install", "zed", "--acp", agent]);
  expect(installed).toMatchObject({ code: 0, stdout: expect.stringContaining('choose the agent "node via askbox"') });
  const { command, args, env } = JSON.parse(
    readFileSync(file, "utf8")
      .replace("// mine", "")
      .replace(/,(\s*})/g, "$1"),
  ).agent_servers["node via askbox"];
  const { only, answer } = await openDesk(home);
  const editor = await openEditor(home, [], { start: [command, ...args], env });
  const turn = editor.prompt("run npm test");
  await answer(await only("pending"), ["allow"]);
  await turn;
  expect(editor.said()).toBe(outcome("once"));
  expect((await home.run(["uninstall", "zed", "--acp", agent])).code).toBe(0);
  expect(readFileSync(file, "utf8")).toBe('// mine\n{ "theme": "One Dark", }\n');
});

test("doctor says that an editor's agent asks nothing, and what to do", async () => {
  await home.run(["install", "jetbrains", "--acp", "claude"]);
  expect((await home.run(["install", "--list"])).stdout).toMatch(/^JetBrains starts Claude via askbox, by .*acp\.json\.$/m);
  const { checks } = JSON.parse((await home.run(["doctor", "--json"])).stdout);
  expect(checks).toContainEqual({
    check: "acp",
    status: "warn",
    message: expect.stringMatching(/^JetBrains starts Claude via askbox, but permissions\.defaultMode isn't set .*, so Claude/),
  });
  await home.run(["uninstall", "jetbrains", "--acp", "claude"]);
  expect(existsSync(join(home.path, ".jetbrains"))).toBe(false);
});

test("an editor that askbox doesn't know, or one without an agent, is wrong usage", async () => {
  expect(await home.spawn(["install", "codex", "--acp", "claude"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("zed, jetbrains, vscode"),
  });
  expect(await home.spawn(["install", "jetbrains"])).toMatchObject({ code: 2, stderr: expect.stringContaining("jetbrains --acp claude") });
  expect(await home.spawn(["install", "zed", "--acp", " "])).toMatchObject({ code: 2 });
});
