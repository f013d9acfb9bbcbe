export { mountApprovals } from "./approvals/mount-approvals.ts";
export { backUp } from "./backup/backup.ts";
export { type Restored, restore } from "./backup/restore.ts";
export { inSpace, isSharedStore } from "./open-store.ts";
export { mountPush } from "./push/mount-push.ts";
export { runHub } from "./run-hub.ts";
export type { HubFlags } from "./settings.ts";
export { type HubStatus, hubStatus, hubStop } from "./status.ts";
