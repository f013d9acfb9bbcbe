export { type AskServer, createAskServer } from "./ask-server.ts";
export { type AskSurface, askSurfaces } from "./client-form/form-channel.ts";
export {
  type CallLimit,
  type ClientEvidence,
  callLimit,
  type Fallback,
  fallbackAdvice,
  fallbacks,
  type KnownClient,
  knownClient,
  knownClients,
} from "./clients.ts";
export type { DialectTraits, JsonSchema, ToolDefinition } from "./dialects/dialect.ts";
export { type DialectName, defaultTool, dialectNames, dialectTraits, isDialectName } from "./dialects/index.ts";
export {
  connectDirect,
  type DirectClient,
  type ElicitationHandler,
  type ElicitationRequest,
  type ElicitationResponse,
} from "./elicit/direct.ts";
export { elicit } from "./elicit/elicit.ts";
export { ElicitationNotSupportedError, ElicitationTimeoutError } from "./elicit/errors.ts";
export type { ElicitationOptions, ElicitationPath, ElicitOptions } from "./elicit/options.ts";
export type { ElicitedBy, ElicitResult } from "./elicit/result.ts";
export { once } from "./elicit/run.ts";
export { type KeyValue, keyValueElicitationStore } from "./elicit/store/key-value.ts";
export { memoryElicitationStore } from "./elicit/store/memory.ts";
export { sealedElicitationStore } from "./elicit/store/sealed.ts";
export type { ElicitationStore } from "./elicit/store/store.ts";
export { withElicitation } from "./elicit/with-elicitation.ts";
export { movedElsewhere } from "./moved-elsewhere.ts";
export type { AskServerOptions, CallEnd, Caller } from "./options.ts";
export { createProbeServer, type ProbeEnd, type ProbeReport, type ProbeServerOptions, probeTool } from "./probe/probe-server.ts";
export {
  refusedListen,
  refuseListens,
  requireTasks,
  serveTasks,
  type Task,
  type TaskFacts,
  type TaskPort,
  type TaskState,
  takesTasks,
  taskHandle,
  tasksExtension,
  unknownTask,
} from "./tasks/index.ts";
export { toolDefinitions } from "./tool-definitions.ts";
