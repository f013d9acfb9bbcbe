export type { StdioServerFlags } from "./options.ts";
export { runStdioServer } from "./run-stdio-server.ts";
