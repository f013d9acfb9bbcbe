import type { McpServerFactory } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { atMost } from "./at-most.ts";
import { LineTransport, type LineTransportOptions } from "./line-transport.ts";
import { openLog } from "./log.ts";
import { reserveStdout } from "./reserve-stdout.ts";

/** How long a cut call may take to end, in ms. */
const shutdownGrace = 500;

export interface ServeOptions extends Pick<LineTransportOptions, "holder"> {
  env: NodeJS.ProcessEnv;
}

/** Serves one small tool on this process's stdin and stdout until the client disconnects. Resolves with the exit code. */
export async function serveUntilLeft(factory: McpServerFactory, { env, holder }: ServeOptions): Promise<number> {
  const left = Promise.withResolvers<void>();
  const { log, flush } = openLog(env);
  const transport = new LineTransport({ input: process.stdin, output: reserveStdout(process), log, holder });
  const handle = serveStdio(factory, { transport });
  process.stdin.once("end", left.resolve);
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, left.resolve);
  await left.promise;
  await atMost(shutdownGrace, handle.close());
  await flush();
  setTimeout(() => process.exit(0), shutdownGrace).unref();
  return 0;
}
