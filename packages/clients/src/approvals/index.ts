import type { ApprovalDoor } from "@askbox/approvals";
import { claudeCodeDoor } from "./claude-code.ts";
import { codexDoor } from "./codex.ts";
import { codexSocketDoor } from "./codex-socket.ts";
import { opencodeDoor } from "./opencode.ts";

/** The clients whose permission requests `askbox hook` forwards; one for each client. */
export const hookDoors: readonly ApprovalDoor[] = [claudeCodeDoor, codexDoor, opencodeDoor];

/** All ways in which the permission requests of clients reach the hub. */
export const approvalDoors: readonly ApprovalDoor[] = [...hookDoors, codexSocketDoor];
