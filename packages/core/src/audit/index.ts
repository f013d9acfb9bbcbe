export type { AuditEntry, AuditLog } from "../ports/store.ts";
export type { AuditEvent } from "./entry.ts";
export { ChainCheck, entryConflict, mustFollow, sealEntry } from "./entry.ts";
