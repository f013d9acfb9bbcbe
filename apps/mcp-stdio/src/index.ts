export type { StdioServerFlags } from "./options.ts";
export { runStdioServer, type StdioServerSetup } from "./run-stdio-server.ts";
