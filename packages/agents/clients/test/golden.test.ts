import { clientNames } from "@askbox/core/clients";
import { describe, expect, test } from "vitest";
import { scopes, stdioReach } from "../src/client.ts";
import { clientNamed } from "../src/clients/index.ts";
import { clientStatuses, entryLaunch } from "../src/status.ts";
import { openMachine } from "./support/machine.ts";
import { commented, fileOf } from "./support/samples.ts";

/** All files of a machine as one text, for reading and comparing. */
function pages(files: Record<string, string>, root: string): string {
  return Object.entries(files)
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([path, held]) => `=== ${path}\n${held.replaceAll(root, "")}`)
    .join("\n");
}

describe.each(clientNames)("%s", (client) => {
  const title = clientNamed(client).title;
  const offered = scopes.filter((scope) => clientNamed(client).file(openPlace(), scope) !== undefined);

  test.each(offered.flatMap((scope) => [[scope, "stdio"] as const, [scope, "http"] as const]))(
    `${title}: %s settings, %s, match the golden file`,
    async (scope, transport) => {
      const machine = openMachine();
      machine.write(fileOf(machine, client, scope), commented(client));
      const http = transport === "http";
      if (http && scope === "project" && !clientNamed(client).tokenFromEnvironment) {
        expect(() => machine.install(client, { scope, http })).toThrow(/cannot read a token from the environment/);
        return;
      }
      machine.install(client, { scope, http });
      await expect(pages(machine.files(), machine.root)).toMatchFileSnapshot(`golden/${client}.${scope}.${transport}.txt`);
    },
  );
});

test.each(clientNames)("what %s would start is read from its settings as it was written", (client) => {
  const machine = openMachine();
  expect(entryLaunch(clientNamed(client), machine.system, "user")).toBeUndefined();
  machine.write(fileOf(machine, client, "user"), commented(client));
  machine.install(client);
  const { command = [] } = entryLaunch(clientNamed(client), machine.system, "user") ?? {};
  expect(command.slice(0, 3)).toEqual(["/opt/node/bin/node", "/opt/askbox/bin/askbox.js", "mcp"]);
  machine.install(client, { http: true });
  expect(entryLaunch(clientNamed(client), machine.system, "user")).toBeUndefined();
});

test("Claude Code with everything, as the golden file says", async () => {
  const machine = openMachine();
  machine.install("claude-code", { prefer: true, hookCommand: "/usr/bin/askbox hook claude-code" });
  expect(() => machine.plan("claude-code", { exclusive: true, hookCommand: "askbox" })).toThrow(/give one of the two/);
  await expect(pages(machine.files(), machine.root)).toMatchFileSnapshot("golden/claude-code.everything.txt");
});

test.each(["stdio", "http"] as const)(
  "Claude Code's permission requests, %s, as the golden file says, and out again to the byte",
  async (transport) => {
    const machine = openMachine();
    machine.write(
      "home/.claude/settings.json",
      '{\n  // mine\n  "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "say done" }] }] }\n}\n',
    );
    const before = machine.files();
    const approvals = "/usr/bin/askbox hook claude-code";
    const overruled = `[ ! -e /box/overruled ] || ${approvals} --overruled`;
    machine.install("claude-code", { http: transport === "http", approvals, overruled });
    await expect(pages(machine.files(), machine.root)).toMatchFileSnapshot(`golden/claude-code.approvals.${transport}.txt`);
    machine.uninstall("claude-code");
    expect(machine.files()).toMatchObject(before);
  },
);

test("with --ran, Claude Code reports every tool but those that only read or ask, and all is removed byte for byte", () => {
  const machine = openMachine();
  machine.write("home/.claude/settings.json", '{ "hooks": {} }\n');
  const before = machine.files();
  machine.install("claude-code", { approvals: "/usr/bin/askbox hook claude-code", ran: true });
  const settings = JSON.parse(machine.read("home/.claude/settings.json")) as { hooks: Record<string, { matcher: string }[]> };
  for (const event of ["PostToolUse", "PostToolUseFailure"]) {
    const reports = new RegExp(settings.hooks[event]?.[0]?.matcher ?? "");
    const tools = [
      "Bash",
      "Write",
      "NotebookEdit",
      "WebFetch",
      "ExitPlanMode",
      "mcp__mail__send",
      "PowerShell",
      "ReadMcpResourceTool",
      "New",
    ];
    expect(tools.filter((tool) => !reports.test(tool))).toEqual([]);
    expect(["Read", "Grep", "Task", "AskUserQuestion"].filter((tool) => reports.test(tool))).toEqual([]);
  }
  machine.uninstall("claude-code");
  expect(machine.files()).toMatchObject(before);
});

test("Codex' permission requests, as the golden file says, and removed byte for byte", async () => {
  const machine = openMachine();
  const hooks = machine.write("home/.codex/hooks.json", '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}}\n');
  machine.write("home/.codex/config.toml", `# mine\n[hooks.state."${hooks}:stop:0:0"]\ntrusted_hash = "sha256:1"\n`);
  const before = machine.files();
  const trusted = { [`${hooks}:permission_request:0:0`]: "sha256:2" };
  const approvals = "/usr/bin/askbox hook codex";
  machine.install("codex", { approvals, trusted });
  await expect(pages(machine.files(), machine.root)).toMatchFileSnapshot("golden/codex.approvals.txt");
  expect(machine.install("codex", { approvals, trusted }).filter(({ action }) => action !== "none")).toEqual([]);
  machine.uninstall("codex");
  expect(machine.files()).toEqual(before);
  expect(() => machine.plan("codex", { approvals, scope: "project" })).toThrow(/use --approvals with --scope user/);
});

test("OpenCode's permission requests, as the golden file says, and removed byte for byte", async () => {
  const machine = openMachine();
  machine.write("home/.config/opencode/opencode.json", '{\n  // mine\n  "permission": { "github_*": "ask" }\n}\n');
  const before = machine.files();
  const approvals = "/usr/bin/askbox hook opencode";
  machine.install("opencode", { approvals });
  await expect(pages(machine.files(), machine.root)).toMatchFileSnapshot("golden/opencode.approvals.txt");
  expect(machine.install("opencode", { approvals }).filter(({ action }) => action !== "none")).toEqual([]);
  machine.uninstall("opencode");
  expect(machine.files()).toEqual(before);
  expect(() => machine.plan("opencode", { approvals, scope: "project" })).toThrow(/use --approvals with --scope user/);
});

test("Copilot CLI's permission requests, as the golden file says, and removed byte for byte", async () => {
  const machine = openMachine();
  machine.write("home/.copilot/hooks/own.json", '{"version":1,"hooks":{"sessionEnd":[{"type":"command","bash":"say done"}]}}\n');
  const before = machine.files();
  const approvals = "/usr/bin/askbox hook copilot-cli";
  machine.install("copilot-cli", { approvals });
  await expect(pages(machine.files(), machine.root)).toMatchFileSnapshot("golden/copilot-cli.approvals.txt");
  expect(machine.install("copilot-cli", { approvals }).filter(({ action }) => action !== "none")).toEqual([]);
  machine.uninstall("copilot-cli");
  expect(machine.files()).toEqual(before);
  expect(() => machine.plan("copilot-cli", { approvals, scope: "project" })).toThrow(/use --approvals with --scope user/);
  const setup = { scope: "user", tools: ["ask_user"], prefer: false, exclusive: false, approvals } as const;
  const reach = { kind: "stdio", command: "askbox", args: [], env: {} } as const;
  const system = { ...machine.system, platform: "win32" } as const;
  expect(() => clientNamed("copilot-cli").changes({ ...setup, reach, system }, "mcp-config.json")).toThrow(/PowerShell on Windows/);
});

const asks = { bash: "ask", edit: "ask", webfetch: "ask", "askbox_*": "allow" };
const { bash: _bash, ...withoutBash } = asks;
const { edit: _edit, ...withoutEdit } = asks;
const { "askbox_*": _own, ...withoutOwn } = asks;
test.each([
  ["no rules", {}, asks, undefined],
  ["rules for other tools", { permission: { "github_*": "deny", read: "ask" } }, { "github_*": "deny", read: "ask", ...asks }, undefined],
  ["one word for everything", { permission: "allow" }, "allow", "bash, edit, webfetch, askbox_*"],
  ["a wildcard", { permission: { "*": "deny" } }, { "*": "deny" }, "bash, edit, webfetch, askbox_*"],
  ["a wildcard that fits one name", { permission: { "b?sh": "deny" } }, { "b?sh": "deny", ...withoutBash }, "bash"],
  ["patterns of commands", { permission: { bash: { "rm *": "deny" } } }, { bash: { "rm *": "deny" }, ...withoutBash }, "bash"],
  ["a rule for one of askbox's tools", { permission: { askbox_ask_user: "deny" } }, { askbox_ask_user: "deny", ...withoutOwn }, "askbox_*"],
  ["the same rule", { permission: { bash: "ask" } }, asks, undefined],
  ["a tool that is switched off the older way", { tools: { write: false } }, withoutEdit, "edit"],
])("OpenCode's rules are added to a person's own without changing what they decide: %s", (_what, settings, rules, kept) => {
  for (const [held, other] of [
    ["opencode.json", undefined],
    ["opencode.jsonc", "opencode.json"],
    ["config.json", "opencode.json"],
  ] as const) {
    const machine = openMachine();
    machine.write(`home/.config/opencode/${held}`, JSON.stringify(settings));
    // Of two files the plain one gets the entry, and both are read.
    if (other !== undefined) machine.write(`home/.config/opencode/${other}`, "{}");
    const before = machine.files();
    const approvals = "askbox hook opencode";
    const setup = { scope: "user", system: machine.system, tools: ["ask_user"], prefer: false, exclusive: false, approvals } as const;
    const notes = clientNamed("opencode").notes?.({ ...setup, reach: { kind: "stdio", command: "askbox", args: ["mcp"], env: {} } });
    expect(notes).toEqual(kept === undefined ? [] : [expect.stringContaining(`decide about ${kept};`)]);
    machine.install("opencode", { approvals });
    const all = [held, other].flatMap((name) => {
      const { permission } = Object(name === undefined ? {} : machine.system.settings(machine.path(`home/.config/opencode/${name}`)));
      return permission === undefined ? [] : [permission];
    });
    expect(all.every((each) => typeof each === "object") ? Object.assign({}, ...all) : all[0]).toEqual(rules);
    machine.uninstall("opencode");
    expect(machine.files()).toEqual(before);
  }
});

test.each([
  ["opencode", "question"],
  ["gemini-cli", "ask_user"],
  ["claude-code", "AskUserQuestion"],
] as const)("%s can be denied its own tool", (client, tool) => {
  const machine = openMachine();
  machine.install(client, { exclusive: true });
  expect(pages(machine.files(), machine.root)).toMatch(new RegExp(`"(deny|exclude|question)": (\\[\\s+"${tool}"|"deny")`));
});

test.each([
  "codex",
  "cursor",
  "vscode",
  "antigravity",
  "windsurf",
  "zed",
  "copilot-cli",
  "qwen-code",
  "crush",
  "kilo-code",
  "pi",
  "cline",
  "amp",
  "goose",
  "kimi-code",
] as const)("%s has nothing to deny its own tool with, and says so", (client) => {
  const machine = openMachine();
  expect(() => machine.install(client, { exclusive: true })).toThrow(/has no setting to disable its own question tool; use --prefer\.$/);
  expect(machine.files()).toEqual({});
});

test("no file contains a token unless its client requires it", () => {
  for (const client of clientNames) {
    const machine = openMachine();
    machine.install(client, { http: true });
    const isIn = pages(machine.files(), machine.root).includes("asker-token");
    expect([client, isIn]).toEqual([client, !clientNamed(client).tokenFromEnvironment]);
  }
});

test("OpenCode's second version, and its file with comments, are used as they are", () => {
  const machine = openMachine();
  machine.write("project/opencode.jsonc", '{ "mcp": { "servers": {} } } // mine\n');
  machine.install("opencode", { scope: "project" });
  expect(Object.keys(machine.files())).toEqual(["project/opencode.jsonc"]);
  expect(machine.system.settings(machine.path("project/opencode.jsonc"))).toMatchObject({
    mcp: { servers: { askbox: { type: "local" } } },
  });
});

test("Antigravity's newer file is used if it is the only one", () => {
  const machine = openMachine();
  machine.write("home/.gemini/config/mcp_config.json", "{}");
  machine.install("antigravity");
  expect(machine.read("home/.gemini/config/mcp_config.json")).toContain("cn_ask_user");
  expect(Object.keys(machine.files())).toHaveLength(1);
});

function openPlace() {
  return { platform: "linux", env: {}, home: "/home", project: "/project", exists: () => false, settings: () => undefined } as const;
}

test("an entry contains an XDG folder that is set, or ASKBOX_HOME instead, since a client may pass on neither", () => {
  const entry = (env: Record<string, string>) => stdioReach({ launch: ["/opt/askbox"], tools: ["ask_user"], env, cwd: "/project" }).env;
  const xdg = { XDG_DATA_HOME: "/data", XDG_STATE_HOME: "/state", EDITOR: "vi" };
  expect(entry(xdg)).toEqual({ XDG_DATA_HOME: "/data", XDG_STATE_HOME: "/state" });
  expect(entry({ ...xdg, ASKBOX_HOME: "home" })).toEqual({ ASKBOX_HOME: "/project/home" });
});

test("OpenCode's $schema is written at install if there is none, and removed again", () => {
  const machine = openMachine();
  const file = machine.write("home/.config/opencode/opencode.json", "{}\n");
  machine.install("opencode");
  expect(machine.system.settings(file)).toMatchObject({ $schema: "https://opencode.ai/config.json" });
  expect(machine.install("opencode").filter(({ action }) => action !== "none")).toEqual([]);
  machine.uninstall("opencode");
  expect(machine.read("home/.config/opencode/opencode.json")).toBe("{}\n");
  machine.write("home/.config/opencode/opencode.json", '{"$schema": "https://example.com/own.json"}\n');
  machine.install("opencode");
  expect(machine.system.settings(file)).toMatchObject({ $schema: "https://example.com/own.json" });
});

test("Codex's note explains a required server, and --optional omits it", () => {
  const machine = openMachine();
  const setup = (optional: boolean) => ({
    ...({ scope: "user", system: machine.system, tools: ["ask_user"], prefer: false, exclusive: false, optional } as const),
    reach: { kind: "stdio", command: "/opt/askbox", args: ["mcp"], env: {} } as const,
  });
  const codex = clientNamed("codex");
  const textOf = (optional: boolean) => JSON.stringify(codex.changes(setup(optional), "config.toml"));
  expect(textOf(false)).toContain('"required":true');
  expect(textOf(true)).not.toContain("required");
  expect(codex.notes?.(setup(false)).join()).toMatch(/if \/opt\/askbox is moved or removed, no session of Codex starts/);
  expect(codex.notes?.(setup(true))).toEqual([]);
});

test("Gemini CLI's note warns about a tool that it drops", () => {
  const machine = openMachine();
  const reach = { kind: "stdio", command: "/opt/askbox", args: ["mcp"], env: {} } as const;
  const notes = (tool: "ask_user" | "cn_ask_user") =>
    clientNamed("gemini-cli").notes?.({ scope: "user", system: machine.system, reach, tools: [tool], prefer: false, exclusive: false });
  expect(notes("ask_user")?.join()).toContain("drops every server's tool named ask_user");
  expect(notes("cn_ask_user")).toEqual([]);
});

test("the status of a client includes the wait that its entry sets, as a flag or in a URL", () => {
  for (const http of [false, true]) {
    const machine = openMachine();
    machine.install("codex", { http });
    const codex = clientStatuses(machine.system).find(({ client }) => client === "codex");
    expect(codex?.setUp).toEqual([{ scope: "user", file: machine.path("home/.codex/config.toml"), maxWait: 1_790 }]);
  }
});

test("Claude Code's hooks that wait for answers, as the golden file says, and out again to the byte", async () => {
  const machine = openMachine();
  machine.write("home/.claude/settings.json", '{\n  // mine\n  "hooks": { "Stop": [{ "hooks": [] }] }\n}\n');
  const before = machine.files();
  machine.install("claude-code", { wake: "/usr/bin/askbox hook claude-code --wake" });
  await expect(pages(machine.files(), machine.root)).toMatchFileSnapshot("golden/claude-code.wake.txt");
  machine.uninstall("claude-code");
  expect(machine.files()).toMatchObject(before);
  machine.install("claude-code", { http: true, wake: "/usr/bin/askbox hook claude-code --wake" });
  expect(machine.read("home/.claude/settings.json")).not.toContain("--wake");
});
