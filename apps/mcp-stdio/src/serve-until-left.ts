import type { Readable } from "node:stream";
import type { McpServerFactory } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { atMost } from "./at-most.ts";
import { reserveStdout } from "./reserve-stdout.ts";

/** How long a cut call may take to end, in ms. */
const shutdownGrace = 500;

/** Serves one small tool on `input` and this process's stdout until the client disconnects. Resolves with the exit code. */
export async function serveUntilLeft(factory: McpServerFactory, input: Readable = process.stdin): Promise<number> {
  const left = Promise.withResolvers<void>();
  const transport = new StdioServerTransport(input, reserveStdout(process));
  const handle = serveStdio(factory, { transport });
  input.once("end", left.resolve);
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, left.resolve);
  await left.promise;
  await atMost(shutdownGrace, handle.close());
  setTimeout(() => process.exit(0), shutdownGrace).unref();
  return 0;
}
