export type { OwnedAsker } from "./askers.ts";
export { createHttpHandler, type HttpHandler, type HttpHandlerOptions } from "./handler.ts";
export type {
  AsyncContext,
  CreateHttpMcpServers,
  HttpMcpParts,
  HttpMcpServer,
  HttpMcpServers,
  McpCluster,
  ModernHandler,
  ModernHandlerOptions,
  ModernServer,
  Owner,
} from "./servers.ts";
export { type CallbackAnswer, type CallbackProblem, EventSubscriptions, type EventSubscriptionsOptions } from "./subscriptions.ts";
