import type { ClientName } from "@askbox/core/clients";
import { claudeCodeWay } from "./claude-code.ts";
import { codexWay } from "./codex.ts";
import { geminiCliWay } from "./gemini-cli.ts";
import { opencodeWay } from "./opencode.ts";
import type { WakeWay } from "./port.ts";

export { type ClientState, isConversationId, type ResumeCommand, type WakeMachine, type WakeWay } from "./port.ts";

/** How each client's conversations are woken. One that is missing can't be. */
export const wakeWays: Readonly<Partial<Record<ClientName, WakeWay>>> = Object.freeze({
  "claude-code": claudeCodeWay,
  codex: codexWay,
  opencode: opencodeWay,
  "gemini-cli": geminiCliWay,
});
