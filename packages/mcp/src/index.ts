export { type AskServer, createAskServer } from "./ask-server.ts";
export { type CallLimit, callLimit, type KnownClient, knownClient, knownClients, measuredIn, ownWayToAsk } from "./clients.ts";
export type { Dialect, JsonSchema, ToolDefinition } from "./dialects/dialect.ts";
export { type DialectName, dialectNames, isDialectName } from "./dialects/index.ts";
export type { AskServerOptions, CallEnd, Caller } from "./options.ts";
