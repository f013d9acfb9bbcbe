export { type Approvals, createApprovals } from "./approvals.ts";
export { denial } from "./decision.ts";
export type { ApprovalSource, FormAsk, FormOutcome, PermissionAsk, PermissionDecision, PermissionOver } from "./permission.ts";
export { commandAction, permissionAsk } from "./permission-ask.ts";
export { withdrawLost } from "./withdraw-lost.ts";
