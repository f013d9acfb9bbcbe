import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { stdioReach } from "../src/client.ts";
import { editorAgents, editorNames, editors, planEditor, planEditorRemoval } from "../src/editors.ts";
import { type Machine, openMachine } from "./support/machine.ts";

const reach = stdioReach({
  launch: ["/opt/node/bin/node", "/opt/askbox/bin/askbox.js"],
  tools: ["ask_user"],
  env: { ASKBOX_HUB: "https://hub.example.com" },
  cwd: "/",
});
const acp = { ...reach, args: reach.args.with(1, "acp") };
const claude = { title: "Claude", command: ["claude-agent-acp"] };
const opencode = { title: "OpenCode", command: ["opencode", "acp"] };
type Agent = typeof claude;

const carryOut = (steps: ReturnType<typeof planEditor>) => {
  for (const step of steps) step.carryOut();
  return steps.map(({ action }) => action);
};
const install = (machine: Machine, editor: (typeof editorNames)[number], agent: Agent) =>
  carryOut(planEditor({ ledger: machine.ledger(), system: machine.system, reach: acp }, { editor, ...agent }));
const uninstall = (machine: Machine, editor: (typeof editorNames)[number], agent: Agent) =>
  carryOut(planEditorRemoval(machine.ledger(), { editor, ...agent }));
/** A person's own settings, with comments and agents. */
const theirs = (editor: (typeof editorNames)[number]) =>
  `{\r\n  // mine\r\n  "theme": "dark",\r\n  "${editors[editor].at.join(".")}": {\r\n    "Mine": { "command": "mine" }, // not ours\r\n  }\r\n}`;

describe.each(editorNames)("the agents of %s", (editor) => {
  test("start through askbox, as the golden file says, and are out again to the byte", async () => {
    const machine = openMachine();
    const file = editors[editor].file(machine.system).slice(machine.root.length + 1);
    machine.write(file, theirs(editor));
    install(machine, editor, claude);
    await expect(`=== ${file}\n${machine.read(file).replaceAll("\r", "")}`).toMatchFileSnapshot(`golden/acp.${editor}.txt`);
    expect(install(machine, editor, claude)).toEqual(["none"]);
    uninstall(machine, editor, claude);
    expect(readFileSync(machine.path(file), "utf8")).toBe(theirs(editor));
  });

  test.each([
    [claude, opencode],
    [opencode, claude],
  ])("go one by one, and leave no file behind that wasn't there", (first, second) => {
    const machine = openMachine();
    install(machine, editor, claude);
    install(machine, editor, opencode);
    expect(editorAgents(machine.system).map(({ name }) => name)).toEqual(["Claude via askbox", "OpenCode via askbox"]);
    uninstall(machine, editor, first);
    expect(editorAgents(machine.system).map(({ name }) => name)).toEqual([`${second.title} via askbox`]);
    uninstall(machine, editor, second);
    expect(readdirSync(machine.path("home"))).toEqual([]);
  });

  test("keep what a person has written since", () => {
    const machine = openMachine();
    const file = editors[editor].file(machine.system).slice(machine.root.length + 1);
    machine.write(file, theirs(editor));
    install(machine, editor, claude);
    machine.write(file, machine.read(file).replace("dark", "light"));
    uninstall(machine, editor, claude);
    expect(machine.read(file)).toBe(theirs(editor).replace("dark", "light"));
  });
});

test("an agent whose settings have it ask nothing is told, and one that asks is not", () => {
  const machine = openMachine();
  install(machine, "zed", claude);
  install(machine, "zed", opencode);
  install(machine, "jetbrains", { title: "Codex", command: ["codex-acp"] });
  const silent = () => editorAgents(machine.system).map((agent) => agent.silent);
  expect(silent()).toEqual([
    expect.stringContaining("permissions.defaultMode isn't set in"),
    expect.stringContaining('add "permission"'),
    undefined,
  ]);
  machine.write("home/.claude/settings.json", '{"permissions": {"defaultMode": "bypassPermissions"}}');
  machine.write("home/.config/opencode/opencode.json", '{"permission": {"bash": {"*": "ask"}}}');
  expect(silent()).toEqual([expect.stringContaining('is "bypassPermissions"'), undefined, undefined]);
  machine.write("home/.claude/settings.json", '{"permissions": {"defaultMode": "default"}}');
  expect(silent()).toEqual([undefined, undefined, undefined]);
});

test("an agent that an editor starts by itself is none of askbox's", () => {
  const machine = openMachine();
  machine.write(
    "home/.jetbrains/acp.json",
    '{"agent_servers": {"Mine": {"command": "mine", "args": ["acp"]}, "odd": 1, "none": {"args": "--"}}}',
  );
  expect(editorAgents(machine.system)).toEqual([]);
});
