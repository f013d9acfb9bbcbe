export { type CallContext, callOf } from "./call-context.ts";
export { type Heartbeat, heartbeatOf, noHeartbeat } from "./heartbeat.ts";
export { type DeclaredElicitation, type FormResponse, formResponseOf, type McpCaller, readCaller } from "./mcp-call.ts";
