import type { ApprovalDoor } from "./approval-door.ts";
import { claudeCodeDoor } from "./claude-code.ts";
import { codexDoor } from "./codex.ts";
import { opencodeDoor } from "./opencode.ts";

/** The clients whose permission requests askbox supports. */
export const approvalDoors: readonly ApprovalDoor[] = [claudeCodeDoor, codexDoor, opencodeDoor];
