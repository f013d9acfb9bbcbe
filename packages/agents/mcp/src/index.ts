export { type ClientEvidence, type KnownClient, knownClient, knownClients } from "@askbox/core/clients";
export { movedElsewhere } from "./ask-mcp-server.ts";
export { type AskServer, createAskServer } from "./ask-server.ts";
export { type AskSurface, askSurfaces } from "./calls/form-channel.ts";
export { fetchWords, type WakeWords, wakeWords } from "./calls/wake-words.ts";
export {
  type CallLimit,
  callLimit,
  conversationOf,
  type Fallback,
  fallbackAdvice,
  fallbacks,
} from "./clients.ts";
export type { DialectTraits, JsonSchema, ToolDefinition } from "./dialects/dialect.ts";
export { type DialectName, defaultTool, dialectNames, dialectTraits, isDialectName } from "./dialects/index.ts";
export { type AnswerEvents, type EventMethod, type EventRequest, eventsExtension } from "./events.ts";
export type { AskServerOptions, CallEnd, Caller, FileSource, Picture } from "./options.ts";
export { type ParsedMessage, parseMessage, refusalOf } from "./parse-message.ts";
export { createProbeServer, type ProbeEnd, type ProbeReport, type ProbeServerOptions, probeTool } from "./probe/probe-server.ts";
export {
  refusedListen,
  requireTasks,
  serveTasks,
  type Task,
  type TaskFacts,
  type TaskPort,
  type TaskState,
  takeListens,
  takesTasks,
  taskHandle,
  tasksExtension,
  unknownTask,
} from "./tasks.ts";
export { getFilesTool, toolDefinitions } from "./tool-definitions.ts";
