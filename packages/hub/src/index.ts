export type { DeviceRecord, DeviceStorage } from "./auth/device-record.ts";
export type { LoginLink } from "./auth/login-desk.ts";
export { createToken, type Grant, hashToken, type Scope, type TokenVerifier, tokenVerifier } from "./auth/tokens.ts";
export type { CountPending, HubLimits } from "./limits/ask-limits.ts";
export type { ConnectionLimits } from "./server/connection-limits.ts";
export { createHub, type Hub, type HubConnections, type HubOptions } from "./server/hub.ts";
export { type Mount, type MountContext, type MountService, readBody, refuse } from "./server/mount.ts";
