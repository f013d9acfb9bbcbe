import type { ApprovalSource } from "@askbox/approvals";
import { acpSource } from "./acp.ts";
import { claudeCodeSource } from "./claude-code.ts";
import { codexSocketSource, codexSource } from "./codex.ts";
import { copilotCliSource } from "./copilot-cli.ts";
import { opencodeSource } from "./opencode.ts";

/** The clients whose permission requests `askbox hook` forwards; one for each client. */
export const hookSources: readonly ApprovalSource[] = [claudeCodeSource, codexSource, opencodeSource, copilotCliSource];

/** All ways in which the permission requests of clients reach the hub. */
export const approvalSources: readonly ApprovalSource[] = [...hookSources, codexSocketSource, acpSource];
