import { agentClients, type ClientName, clientApprovals, clientNames } from "@askbox/core/clients";
import type { Client, ClientSettings } from "../client.ts";
import { amp } from "./amp.ts";
import { antigravity } from "./antigravity.ts";
import { claudeCode } from "./claude-code.ts";
import { cline } from "./cline.ts";
import { codex } from "./codex.ts";
import { copilotCli } from "./copilot-cli.ts";
import { crush } from "./crush.ts";
import { cursor } from "./cursor.ts";
import { geminiCli } from "./gemini-cli.ts";
import { goose } from "./goose.ts";
import { kiloCode } from "./kilo-code.ts";
import { kimiCode } from "./kimi-code.ts";
import { opencode } from "./opencode.ts";
import { pi } from "./pi.ts";
import { qwenCode } from "./qwen-code.ts";
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
  "qwen-code": qwenCode,
  crush,
  "kilo-code": kiloCode,
  pi,
  cline,
  amp,
  goose,
  "kimi-code": kimiCode,
};

export const clientNamed = (name: ClientName): Client => ({
  name,
  ...agentClients[name],
  asksForApproval: clientApprovals[name] !== undefined,
  ...settings[name],
});

/** Every client that askbox can set itself up in. */
export const clients: readonly Client[] = Object.freeze(clientNames.map(clientNamed));
