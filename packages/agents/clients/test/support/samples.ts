import type { ClientName } from "@askbox/core/clients";
import type { Scope } from "../../src/client.ts";
import { clientNamed } from "../../src/clients/index.ts";
import type { Machine } from "./machine.ts";

/** Where a client's servers are configured, and how a person would have written the first one. */
const lists: Readonly<Record<Exclude<ClientName, "codex">, string>> = {
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

/** Settings with comments, odd spacing, and no final line break. */
export function commented(client: ClientName): string {
  if (client === "codex") return toml;
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
  ["indented with tabs", (client) => commented(client).replaceAll("    ", "\t")],
  ["that is empty", () => ""],
  ["that holds only a comment", (client) => (client === "codex" ? "# nothing yet\n" : "// nothing yet\n{}\n")],
];

/** The client's main file, relative to the machine. */
export function fileOf(machine: Machine, client: ClientName, scope: Scope = "user"): string {
  const file = clientNamed(client).file(machine.system, scope);
  if (file === undefined) throw new Error(`${client} has no ${scope} file`);
  return file.slice(machine.root.length + 1);
}
