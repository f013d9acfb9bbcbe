import { agentClients, type ClientName, clientNames } from "@askbox/core/clients";
import type { Client, ClientSettings } from "../client.ts";
import { antigravity } from "./antigravity.ts";
import { claudeCode } from "./claude-code.ts";
import { codex } from "./codex.ts";
import { copilotCli } from "./copilot-cli.ts";
import { cursor } from "./cursor.ts";
import { geminiCli } from "./gemini-cli.ts";
import { opencode } from "./opencode.ts";
import { vscode } from "./vscode.ts";
import { windsurf } from "./windsurf.ts";
import { zed } from "./zed.ts";

const settings: Readonly<Record<ClientName, ClientSettings>> = {
  "claude-code": claudeCode,
  codex,
  opencode,
  cursor,
  vscode,
  "gemini-cli": geminiCli,
  antigravity,
  windsurf,
  zed,
  "copilot-cli": copilotCli,
};

export const clientNamed = (name: ClientName): Client => ({ name, ...agentClients[name], ...settings[name] });

/** Every client that askbox can set itself up in. */
export const clients: readonly Client[] = Object.freeze(clientNames.map(clientNamed));
