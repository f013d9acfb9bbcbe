export type { ApprovalAsk, ApprovalOver, ApprovalSource, DecidedThere, Decision, FormAsk, FormOutcome, RanCall } from "./approval.ts";
export { approvalAsk, commandAction } from "./approval.ts";
export { type Approvals, createApprovals } from "./approvals.ts";
export { denial } from "./asking.ts";
export { withdrawLost } from "./withdraw-lost.ts";
