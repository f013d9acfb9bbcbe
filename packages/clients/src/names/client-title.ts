import type { ClientName } from "@askbox/home";

/** The clients' official names. */
export const clientTitles: Readonly<Record<ClientName, string>> = Object.freeze({
  "claude-code": "Claude Code",
  codex: "Codex",
  opencode: "OpenCode",
  cursor: "Cursor",
  vscode: "VS Code",
  "gemini-cli": "Gemini CLI",
  antigravity: "Antigravity",
  windsurf: "Windsurf",
  zed: "Zed",
});

/** By the `clientInfo.name` that the client reports, in lower case: its name here, or an alias. */
const titles: ReadonlyMap<string, string> = new Map([
  ...Object.entries(clientTitles),
  ["codex-mcp-client", clientTitles.codex],
  ["cursor-vscode", clientTitles.cursor],
  ["gemini-cli-mcp-client", clientTitles["gemini-cli"]],
  ["visual studio code", clientTitles.vscode],
  ["windsurf-client", clientTitles.windsurf],
]);

/** The title of the client that reports this `clientInfo.name`; the name itself if it is unknown. */
export function clientTitle(name: string): string {
  return titles.get(name.toLowerCase()) ?? name;
}
