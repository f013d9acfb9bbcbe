export { elicit } from "./elicit.ts";
export type { ElicitationOptions, ElicitationPath, ElicitedBy, ElicitedContent, ElicitOptions, ElicitResult } from "./question.ts";
export { ElicitationNotSupportedError, ElicitationTimeoutError } from "./question.ts";
export { once } from "./run/run.ts";
export type { ContextOf, ElicitableServer, ElicitContext } from "./sdk.ts";
export type { RedisOptions } from "./store/redis.ts";
export type { ElicitationStore } from "./store/store.ts";
export { type KeyValue, keyValueElicitationStore, memoryElicitationStore, sealedElicitationStore } from "./store/store.ts";
export { withElicitation } from "./with-elicitation.ts";
