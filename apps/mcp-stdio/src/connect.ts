import type { Log } from "@askbox/core";
import { connectHub } from "@askbox/home";

/** Milliseconds. A hub that goes away during a question is looked for this long before its calls fail. */
const timeout = 60_000;

export interface ConnectOptions {
  env: NodeJS.ProcessEnv;
  hub: string | undefined;
  tokenFile: string | undefined;
  /** The program and arguments that run a hub in the background. */
  hubCommand: readonly string[];
  version: string;
  log: Log;
}

export function connect(options: ConnectOptions, signal: AbortSignal): ReturnType<typeof connectHub> {
  const { env, hub, tokenFile, hubCommand, version, log } = options;
  return connectHub({
    role: "asker",
    agent: { name: "askbox mcp", version },
    env,
    hubUrl: hub,
    tokenFile,
    start: true,
    hubCommand,
    timeout,
    // A laptop that wakes, a tunnel that opens: the agent's call outlasts it.
    retryFirst: true,
    log,
    signal,
  });
}
