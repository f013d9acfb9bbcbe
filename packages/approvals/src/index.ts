export { type Approvals, type ApprovalsOptions, createApprovals } from "./approvals.ts";
export { denial } from "./decision.ts";
export type { Caller, Settled } from "./held-ask.ts";
export type {
  ApprovalSource,
  FormAsk,
  FormOutcome,
  PermissionAsk,
  PermissionDecision,
  PermissionFollows,
  PermissionOver,
} from "./permission.ts";
export { type AskParts, commandAction, permissionAsk } from "./permission-ask.ts";
export { type LostOptions, withdrawLost } from "./withdraw-lost.ts";
