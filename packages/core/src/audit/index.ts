export type { AuditEntry, AuditLog } from "../ports/audit.ts";
export { ChainCheck } from "./chain-check.ts";
export { entryConflict, mustFollow, sealEntry } from "./entry.ts";
export type { AuditEvent } from "./event.ts";
