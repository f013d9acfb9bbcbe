export type { OwnedAsker } from "./askers.ts";
export type { AsyncContext, McpCluster } from "./cluster.ts";
export { createHttpHandler, type HttpHandler, type HttpHandlerOptions } from "./handler.ts";
export type { Owner } from "./owner.ts";
export type {
  CreateHttpMcpServers,
  HttpMcpParts,
  HttpMcpServer,
  HttpMcpServers,
  ModernHandler,
  ModernHandlerOptions,
  ModernServer,
} from "./servers.ts";
