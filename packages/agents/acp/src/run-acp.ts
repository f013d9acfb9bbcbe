import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import type { Log } from "@askbox/core";
import { startAgent } from "./agent-process.ts";
import { lazyInbox } from "./lazy-inbox.ts";
import { Lines, LineWriter, pump } from "./lines.ts";
import { type Answerers, Pass, timers } from "./pass.ts";
import type { ServerEntry } from "./rewrite.ts";

export interface AcpSetup {
  /** The agent's command line. */
  command: readonly string[];
  env: NodeJS.ProcessEnv;
  hub: string | undefined;
  tokenFile: string | undefined;
  /** The command line that runs a hub in the background. */
  hubCommand: readonly string[];
  answer: Answerers;
  /** Milliseconds. */
  after: number;
  forms: boolean;
  server?: ServerEntry | undefined;
  log: Log;
}

/** Milliseconds: for the hub to learn that the agent has left, and for the agent's last output after its exit. */
const grace = { hub: 1_000, output: 1_000 };

/**
 * Stands between an editor, on this process's stdin and stdout, and its agent, until one of them ends. Resolves with the agent's exit code.
 * Nothing but the protocol is written to stdout, and nothing to stderr, which is the agent's.
 */
export async function runAcp(setup: AcpSetup): Promise<number> {
  const { stdin, stdout } = process;
  const { command, env, answer, after, forms, server, log } = setup;
  const agent = startAgent({ command, env });
  const pass = new Pass({
    toAgent: new LineWriter((bytes) => void agent.input.write(bytes)),
    toEditor: new LineWriter((bytes) => void stdout.write(bytes)),
    inbox: lazyInbox(setup),
    answer,
    after,
    forms,
    server,
    clock: timers,
    log,
    cwd: process.cwd(),
  });
  const leave = () => {
    void pass.end();
    agent.leave();
  };
  stdout.on("error", leave);
  const read = pump(agent.output, new Lines(pass.fromAgent), stdout);
  void pump(stdin, new Lines(pass.fromEditor), agent.input).then(leave);
  try {
    const code = await agent.ended;
    await Promise.race([read, pause(grace.output, undefined, { ref: false })]);
    await Promise.race([pass.end(), pause(grace.hub)]);
    if (stdout.writableLength > 0 && !stdout.destroyed) await Promise.race([once(stdout, "drain"), once(stdout, "close")]).catch(() => {});
    return code;
  } finally {
    stdin.destroy();
    setTimeout(() => process.exit(), 50).unref();
  }
}
