export { type BackOff, backOff } from "./back-off.ts";
export { textOfAsk } from "./broker/identity.ts";
export type { Peer } from "./broker/several-hubs.ts";
// What both sides of a transport need of the main entry: with only this one, a page's bundle is smaller.
export { AskboxError, errorCodes, isAskboxError, toAskboxError } from "./errors.ts";
export type { ClientForms } from "./ports/asker.ts";
export { type AckOptions, type Collected, collected, type Given, type RelayedAsker } from "./ports/asker.ts";
export { silentLog, standardClock, standardPlatform } from "./ports/platform.ts";
export type { AskersRecord, PeoplesField } from "./session/audience.ts";
export { limits } from "./session/limits.ts";
export { unreplied } from "./session/thread.ts";
export { cut } from "./texts.ts";
