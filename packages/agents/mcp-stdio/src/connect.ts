import type { AskboxError, Log } from "@askbox/core";
import { connectHub } from "@askbox/home";

/** Milliseconds. How long to look for a hub that is lost during a question before its calls fail. */
const timeout = 60_000;

export interface ConnectOptions {
  env: NodeJS.ProcessEnv;
  hub: string | undefined;
  tokenFile: string | undefined;
  /** The command line that runs a hub in the background. */
  hubCommand: readonly string[];
  version: string;
  log: Log;
  /** Called with the reason of each failed attempt to reach the hub for the first time. */
  onMissed?(error: AskboxError): void;
}

export function connect(options: ConnectOptions, signal: AbortSignal): ReturnType<typeof connectHub> {
  const { env, hub, tokenFile, hubCommand, version, log, onMissed } = options;
  return connectHub({
    role: "asker",
    agent: { name: "askbox mcp", version },
    env,
    hubUrl: hub,
    tokenFile,
    start: true,
    hubCommand,
    timeout,
    // A laptop waking up or a tunnel reconnecting takes a while, and the agent's call waits longer.
    retryFirst: true,
    log,
    onMissed,
    signal,
  });
}
