export { type MountApprovalsOptions, mountApprovals } from "./approvals/mount-approvals.ts";
export { inSpace, isSharedStore } from "./open-store.ts";
export { type HubReady, type RunHubOptions, runHub } from "./run-hub.ts";
export type { HubFlags } from "./settings.ts";
export { type HubControlOptions, type HubStatus, hubStatus, hubStop } from "./status.ts";
