export type { StdioServerFlags } from "./options.ts";
export { readProbes, runProbeServer } from "./run-probe-server.ts";
export { runStdioServer, type StdioServerSetup } from "./run-stdio-server.ts";
