import type { ClientName } from "@askbox/home";
import type { Client } from "../client.ts";
import { antigravity } from "./antigravity.ts";
import { claudeCode } from "./claude-code.ts";
import { codex } from "./codex.ts";
import { cursor } from "./cursor.ts";
import { geminiCli } from "./gemini-cli.ts";
import { opencode } from "./opencode.ts";
import { vscode } from "./vscode.ts";
import { windsurf } from "./windsurf.ts";
import { zed } from "./zed.ts";

const byName: Readonly<Record<ClientName, Client>> = {
  "claude-code": claudeCode,
  codex,
  opencode,
  cursor,
  vscode,
  "gemini-cli": geminiCli,
  antigravity,
  windsurf,
  zed,
};

/** Every client that askbox can set itself up in. */
export const clients: readonly Client[] = Object.freeze(Object.values(byName));

export const clientNamed = (name: ClientName): Client => byName[name];
