import { randomUUID } from "node:crypto";
import { flushCompileCache } from "node:module";
import { type Log, standardPlatform } from "@askbox/core";
import { createAskServer, takeListens } from "@askbox/mcp";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { defaultTimeout, offersEvents, openLog } from "./environment.ts";
import { hubEvents } from "./events.ts";
import { hubFileSource } from "./files.ts";
import { createHubAsker } from "./hub-asker.ts";
import { approvalClients, checkFlags, isPlugin, pluginHint, type StdioServerFlags } from "./options.ts";
import { atMost, LineTransport, reserveStdout } from "./stdio.ts";

export interface StdioServerSetup {
  flags: StdioServerFlags;
  env: NodeJS.ProcessEnv;
  /** The command line that runs a hub in the background. */
  hubCommand: readonly string[];
  version: string;
  /** Runs once, shortly after the start, so that it does not delay the handshake. Problems are logged. */
  afterStart?: ((log: Log) => Promise<void>) | undefined;
}

/** Time limit for shutdown, in ms, in which calls are released and deliveries recorded. */
const shutdownGrace = 1_000;
/** How long an unfinished connection attempt may keep the process alive, in ms. */
const lastGrace = 50;
/** How long after its start the server begins to attend to its client's approvals, in ms. */
const attendAfter = 200;
/** How long after its start an idle server loads what the first call needs, in ms. */
const warmUpAfter = 2_000;

/**
 * Serves MCP on this process's stdin and stdout until the client closes stdin or a signal arrives; no hub is contacted before the first
 * call, except for a client with approvals. Resolves with the exit code: 0, or 2 if a flag is invalid.
 */
export async function runStdioServer({ flags, env: processEnv, hubCommand, version, afterStart }: StdioServerSetup): Promise<number> {
  const checked = checkFlags(flags);
  if (typeof checked === "string") {
    process.stderr.write(`${checked}\n`);
    return 2;
  }
  const stdout = reserveStdout(process);
  const logger = openLog(processEnv);
  const { log, env } = logger;
  const hub = createHubAsker({ env, hub: checked.hub, tokenFile: checked.tokenFile, hubCommand, version, log });
  const hubOptions = { role: "asker", env, hubUrl: checked.hub, tokenFile: checked.tokenFile, start: true, hubCommand } as const;
  const instance = randomUUID();
  const server = createAskServer({
    asker: ({ within }) => hub.get(within),
    identity: async (caller) => {
      const [{ daemonFolder, identify, projectHere }, { workingFolder }] = await Promise.all([
        import("./identity.ts"),
        import("@askbox/home/environment"),
      ]);
      return identify(caller, {
        project: checked.project,
        agent: checked.agent,
        instance,
        cwd: projectHere(workingFolder(), env),
        conversationFolder: ({ client, meta }) => daemonFolder({ client, meta }, { env, version, log }),
        env,
      });
    },
    platform: standardPlatform(globalThis),
    tools: checked.tools,
    name: checked.name,
    version,
    timeout: checked.timeout,
    defaultTimeout: await defaultTimeout(checked.timeout, env, log),
    maxWait: checked.maxWait === undefined ? undefined : checked.maxWait * 1_000,
    ticketHint: isPlugin(env) && checked.maxWait === undefined ? pluginHint : undefined,
    onCancel: checked.onCancel,
    fallback: checked.fallback,
    onCallEnd: hub.called,
    surfaces: checked.surfaces,
    files: hubFileSource(hubOptions),
    events: (await offersEvents(env, log)) ? hubEvents(hubOptions) : undefined,
    log,
  });

  const closing = new AbortController();
  const attend = async (client: string) => {
    // A connected hub stays, so that requests reach a person at any time of the client's session.
    hub.get().catch((error: unknown) => log("warn", "There is no hub for permission requests", { error: String(error) }));
    if (!Object.hasOwn(approvalClients, client) || !approvalClients[client]?.followsDaemon) return;
    const { followDaemon } = await import("./approvals/follow-daemon.ts");
    await followDaemon({ env, hub: checked.hub, tokenFile: checked.tokenFile, version, log, signal: closing.signal });
  };
  const transport = new LineTransport({ input: process.stdin, output: stdout, log });
  const left = whenLeft(transport, () => serveStdio(server.factory, { transport, onerror: ({ message }) => log("debug", message) }));
  const warmUp = setTimeout(async () => {
    await Promise.allSettled([server.warmUp(), hub.warmUp(), afterStart?.(log)]);
    // Node writes its compile cache when a process exits, which a process killed by its client would never do.
    flushCompileCache();
  }, warmUpAfter);
  warmUp.unref();
  // After the handshake, for which the client waits.
  const attending = checked.approvals === undefined ? undefined : setTimeout(attend, attendAfter, checked.approvals);
  await left;
  clearTimeout(warmUp);
  clearTimeout(attending);
  closing.abort();
  await atMost(shutdownGrace, server.whenIdle());
  hub.close();
  await logger.flush();
  setTimeout(() => process.exit(0), lastGrace).unref();
  return 0;
}

/** Resolves when the client has closed a stream or a signal has arrived; running calls have been aborted by then. */
async function whenLeft(transport: LineTransport, serve: () => { close(): Promise<void> }): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const handle = serve();
  takeListens(transport);
  const served = transport.onclose;
  transport.onclose = () => {
    served?.();
    resolve();
  };
  const signals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
  for (const signal of signals) process.once(signal, resolve);
  await promise;
  await handle.close();
}
