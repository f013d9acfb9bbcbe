import { type ClientName, clientNames } from "@askbox/core/clients";
import { describe, expect, test } from "vitest";
import { clientNamed } from "../src/clients/index.ts";
import { feedbackEntries } from "../src/feedback-servers.ts";
import { ownerOf } from "../src/install.ts";
import { type Machine, openMachine } from "./support/machine.ts";
import { commented, fileOf, later } from "./support/samples.ts";

/** Settings with a feedback server beside another one, as a person wrote them. */
function settingsWith(client: ClientName): string {
  const text = commented(client);
  if (client === "codex") return `${text}\n\n[mcp_servers.ask] # mine\ncommand = 'npx'\nargs = ["-y", "interactive-mcp@1.9", "-t", "60"]\n`;
  if (client === "goose") {
    return text.replace("  other:", '  ask: # mine\n    cmd:   "npx"\n    args: ["-y", "interactive-mcp@1.9", "-t", "60"]\n  other:');
  }
  return text.replace(
    '"other": {',
    '"ask": {"command":   "npx", "args": ["-y", "interactive-mcp@1.9", "-t", "60"]}, // mine\n        "other": {',
  );
}

function found(machine: Machine, name: ClientName) {
  const [client, ledger, system, scope] = [clientNamed(name), machine.ledger(), machine.system, "user"] as const;
  return feedbackEntries({ client, ledger, system, scope, owner: ownerOf(ledger, client, { system, scope, by: "person" }) });
}

const listAt = (machine: Machine, client: ClientName) =>
  clientNamed(client)
    .entryAt(machine.system, machine.path(fileOf(machine, client)))
    .slice(0, -1);
const replaceAsk = (machine: Machine, client: ClientName) => ({ replace: [[...listAt(machine, client), "ask"]] });
const listOf = (machine: Machine, client: ClientName) => {
  const file = machine.path(fileOf(machine, client));
  return listAt(machine, client).reduce<Record<string, unknown>>((held, name) => Object(held[name]), Object(machine.system.settings(file)));
};

describe.each(clientNames)("a feedback server in %s", (client) => {
  // promise: uninstall-to-the-byte
  test("is found, replaced by askbox, and put back byte for byte", () => {
    const machine = openMachine();
    machine.write(fileOf(machine, client), settingsWith(client));
    const before = machine.files();
    expect(found(machine, client)).toEqual([
      { name: "ask", at: [...listAt(machine, client), "ask"], tools: ["request_user_input"], timeout: 60_000 },
    ]);
    const dry = machine.plan(client, replaceAsk(machine, client)).find(({ path }) => path === machine.path(fileOf(machine, client)));
    expect([dry?.action, dry?.after.includes("interactive-mcp")]).toEqual(["change", false]);
    expect(machine.files()).toEqual(before);
    machine.install(client, replaceAsk(machine, client));
    expect(Object.keys(listOf(machine, client)).sort()).toEqual(["askbox", "other"]);
    machine.uninstall(client);
    expect(machine.files()).toEqual(before);
  });

  test("is found again once it is replaced, so that a second run changes nothing, and put back if the file was edited since", () => {
    const machine = openMachine();
    const file = fileOf(machine, client);
    machine.write(file, settingsWith(client));
    const entry = listOf(machine, client)["ask"];
    machine.install(client, replaceAsk(machine, client));
    expect(found(machine, client).map(({ name }) => name)).toEqual(["ask"]);
    const once = machine.files();
    machine.install(client, replaceAsk(machine, client));
    expect(machine.files()).toEqual(once);
    machine.write(file, `${machine.read(file)}${later(client)}`);
    machine.uninstall(client);
    expect(machine.read(file)).toContain("later");
    expect(machine.read(file)).not.toContain("askbox");
    expect(listOf(machine, client)["ask"]).toEqual(entry);
  });

  test("comes back with an install that doesn't replace it", () => {
    const machine = openMachine();
    machine.write(fileOf(machine, client), settingsWith(client));
    machine.install(client, replaceAsk(machine, client));
    machine.install(client);
    expect(Object.keys(listOf(machine, client)).sort()).toEqual(["ask", "askbox", "other"]);
  });
});

test.each([
  ["uvx and a version", "x", { command: "uvx", args: ["mcp-feedback-enhanced@latest"], timeout: 600 }, ["interactive_feedback"]],
  [
    "a folder",
    "x",
    { command: "uv", args: ["--directory", "/home/me/interactive-feedback-mcp", "run", "server.py"] },
    ["interactive_feedback"],
  ],
  ["a repository", "x", { command: "uvx", args: ["git+https://github.com/poliva/interactive-feedback-mcp.git"] }, ["interactive_feedback"]],
  ["a folder of Windows", "x", { command: "C:\\Tools\\寸止.exe" }, ["zhi"]],
  ["its name alone", "seamless-agent", { url: "http://localhost:4100/sse" }, ["ask_user", "plan_review", "walkthrough_review"]],
  ["a time that is none", "x", { command: "npx", args: ["interactive-mcp", "-t"] }, ["request_user_input"]],
  ["another server", "x", { command: "npx", args: ["-y", "interactive-mcp-tools"] }, undefined],
  ["no settings", "x", 7, undefined],
] as const)("an entry is recognized by what it starts: %s", (_what, name, entry, tools) => {
  const machine = openMachine();
  machine.write("home/.cursor/mcp.json", JSON.stringify({ mcpServers: { [name]: entry } }));
  expect(found(machine, "cursor")).toMatchObject(tools === undefined ? [] : [{ name, tools }]);
});

test("Claude Code's list of a project is replaced too, stays so when another project's is, and all come back byte for byte", () => {
  const machine = openMachine();
  const server = { command: "npx", args: ["-y", "interactive-mcp"] };
  const { project } = machine.system;
  const projects = { [project]: { mcpServers: { ask: server, other: { command: "x" } } }, "/elsewhere": { mcpServers: { ask: server } } };
  machine.write(fileOf(machine, "claude-code"), JSON.stringify({ mcpServers: { ask: server }, projects }, null, 2));
  const before = machine.files();
  const at = (folder: string) => ["projects", folder, "mcpServers", "ask"];
  expect(found(machine, "claude-code").map((entry) => entry.at)).toEqual([["mcpServers", "ask"], at(project)]);

  machine.install("claude-code", { replace: found(machine, "claude-code").map((entry) => entry.at) });
  expect(Object.keys(listOf(machine, "claude-code"))).toEqual(["askbox"]);
  Object.assign(machine.system, { project: "/elsewhere" });
  expect(found(machine, "claude-code").map((entry) => entry.at)).toEqual([["mcpServers", "ask"], at(project), at("/elsewhere")]);
  machine.install("claude-code", { replace: found(machine, "claude-code").map((entry) => entry.at) });
  const settings = machine.system.settings(machine.path(fileOf(machine, "claude-code")));
  expect(settings).toMatchObject({ projects: { [project]: { mcpServers: { other: {} } }, "/elsewhere": {} } });
  expect(JSON.stringify(settings)).not.toContain("interactive-mcp");
  machine.uninstall("claude-code");
  expect(machine.files()).toEqual(before);
});

test("a client with a tool of that name gets the other one", () => {
  const machine = openMachine();
  machine.write("home/.gemini/antigravity/mcp_config.json", '{"mcpServers": {"seamless-agent": {"serverUrl": "http://localhost:1/sse"}}}');
  expect(found(machine, "antigravity").flatMap(({ tools }) => tools)).toEqual(["cn_ask_user", "plan_review", "walkthrough_review"]);
});
