export {
  type CallContext,
  callOf,
  type DeclaredElicitation,
  type FormResponse,
  formResponseOf,
  type Heartbeat,
  heartbeatOf,
  type McpCaller,
  noHeartbeat,
  readCaller,
} from "./tool-call.ts";
