export type {
  AboutToRun,
  ApprovalAsk,
  ApprovalEvent,
  ApprovalOver,
  ApprovalSource,
  DecidedThere,
  Decision,
  DeniedCall,
  FormAsk,
  FormOutcome,
  RanCall,
} from "./approval.ts";
export { approvalAsk, commandAction, deniedCall } from "./approval.ts";
export { type Approvals, createApprovals } from "./approvals.ts";
export { denial, heldTools } from "./asking.ts";
export { Denials } from "./denials.ts";
export { withdrawLost } from "./withdraw-lost.ts";
