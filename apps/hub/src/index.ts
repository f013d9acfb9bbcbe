export { type MountApprovalsOptions, mountApprovals } from "./approvals/mount-approvals.ts";
export { type BackupRequest, backUp } from "./backup/backup.ts";
export type { Manifest } from "./backup/contents.ts";
export { type Restored, type RestoreRequest, restore } from "./backup/restore.ts";
export { inSpace, isSharedStore } from "./open-store.ts";
export { type MountedPush, type MountPushOptions, mountPush } from "./push/mount-push.ts";
export { type HubReady, type RunHubOptions, runHub } from "./run-hub.ts";
export type { HubFlags } from "./settings.ts";
export { type HubControlOptions, type HubStatus, hubStatus, hubStop } from "./status.ts";
