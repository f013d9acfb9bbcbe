import type { ClientName } from "@askbox/core/clients";
import type { Scope } from "../../src/client.ts";
import { clientNamed } from "../../src/clients/index.ts";
import type { Machine } from "./machine.ts";

/** Where a client's servers are configured, and how a person would have written the first one. */
const lists: Readonly<Record<Exclude<ClientName, "codex" | "goose">, string>> = {
  "claude-code": "mcpServers",
  opencode: "mcp",
  cursor: "mcpServers",
  vscode: "servers",
  "gemini-cli": "mcpServers",
  antigravity: "mcpServers",
  windsurf: "mcpServers",
  zed: "context_servers",
  "copilot-cli": "mcpServers",
  "qwen-code": "mcpServers",
  crush: "mcp",
  "kilo-code": "mcp",
  pi: "mcpServers",
  cline: "mcpServers",
  amp: "amp.mcpServers",
  "kimi-code": "mcpServers",
};

const toml = `# Written by hand
model = "o4" # the model

[mcp_servers.other] # not ours
command = 'other'
args = [
  "one", # first
  "two",
]

[tui]
theme="dark"`;

const yaml = `# Written by hand
theme:   dark # odd spacing
extensions:
  other: # not ours
    cmd: other
    args: [ "one" ]
last: [1,2,
  3]`;

/** What its settings are written in. */
export const languageOf = (client: ClientName): "json" | "toml" | "yaml" =>
  client === "codex" ? "toml" : client === "goose" ? "yaml" : "json";

/** A last line that a person adds. */
export const later = (client: ClientName): string =>
  ({ json: "\n// later\n", toml: "\n[later]\nyes = true\n", yaml: "\n# later\n" })[languageOf(client)];

/** Settings with comments, odd spacing, and no final line break. */
export function commented(client: ClientName): string {
  if (client === "codex") return toml;
  if (client === "goose") return yaml;
  return `{
    // Written by hand
    "theme":   "dark", /* odd spacing */
    "${lists[client]}": {
        "other": { "command": "other", "args": [ "one" ] }, // not ours
    },
    "last": [1,2,
      3]
}`;
}

export const samples: readonly (readonly [name: string, text: (client: ClientName) => string | Buffer])[] = [
  ["with comments", commented],
  ["with comments, line ends of Windows and a byte order mark", (client) => `\uFEFF${commented(client).replaceAll("\n", "\r\n")}\r\n`],
  // YAML has no tabs there.
  ["indented with tabs", (client) => (languageOf(client) === "yaml" ? commented(client) : commented(client).replaceAll("    ", "\t"))],
  ["that is empty", () => ""],
  ["that holds only a comment", (client) => (languageOf(client) === "json" ? "// nothing yet\n{}\n" : "# nothing yet\n")],
];

/** The client's main file, relative to the machine. */
export function fileOf(machine: Machine, client: ClientName, scope: Scope = "user"): string {
  const file = clientNamed(client).file(machine.system, scope);
  if (file === undefined) throw new Error(`${client} has no ${scope} file`);
  return file.slice(machine.root.length + 1);
}
