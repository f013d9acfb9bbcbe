import { hookDoors, hookTimeout } from "@askbox/clients";
import { toAskboxError } from "@askbox/core";
import type { ClientName } from "@askbox/home";
import type { CommandContext } from "../context.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";

/** Milliseconds to find the hub; after that the client continues on its own. */
const findTimeout = 900;
/** Milliseconds. Shorter than the client's own limit, so that the client never has to kill the hook. */
const longestWait = (hookTimeout - 60) * 1_000;

/**
 * Sends a client's event to the hub and returns the answer. Prints nothing unless somebody decided, so that the client's own prompt or rule applies; the same
 * if no hub is running. The connection stays open as long as this process runs, so that the hub sees when nobody is waiting.
 */
export async function relayEvent(
  { io, globals }: CommandContext,
  client: ClientName,
  event: unknown,
  timeout: number = longestWait,
): Promise<ExitCode> {
  const door = hookDoors.find((each) => each.client === client);
  // Unlike the folder of a command, this is not chosen by the agent.
  const folder = process.cwd();
  const meant = door?.read({ ...Object(event), askbox: { folder } });
  if (door === undefined || meant === undefined) return exitCodes.done;
  const { findHub, gitBranch, requestHub } = await import("@askbox/home");
  try {
    const branch = meant.kind === "ask" && meant.cwd !== undefined ? await gitBranch(meant.cwd) : undefined;
    const options = { role: "asker", env: io.env, hubUrl: globals.hub, tokenFile: globals.tokenFile } as const;
    const hub = await findHub({ ...options, signal: AbortSignal.timeout(findTimeout) });
    // Claude Code says whether somebody sits at it, so that a prompt of its own can follow.
    const isAttended = io.env["CLAUDE_CODE_SESSION_ATTENDED"] !== "0";
    const body = { ...Object(event), askbox: { branch, folder, isAttended } };
    const answer = await untilGone(io.env["CLAUDE_PID"], timeout, (signal) =>
      requestHub(hub, { method: "POST", path: door.path, body, timeout: 0, signal }),
    );
    if (answer !== undefined) await io.stdout.write(`${JSON.stringify(answer)}\n`);
  } catch (error) {
    if (meant.kind === "ask") await io.stderr.write(`askbox: ${toAskboxError(error).message}\n`);
  }
  return exitCodes.done;
}

/** Gives up when the client's process is gone: a killed client leaves its hooks running. */
async function untilGone<Result>(pid: string | undefined, timeout: number, run: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const gone = new AbortController();
  const { ppid: parent } = process;
  const timer = setInterval(() => {
    try {
      if (pid !== undefined) process.kill(Number(pid), 0);
      if (process.ppid !== parent) gone.abort();
    } catch {
      gone.abort();
    }
  }, 1_000);
  try {
    return await run(AbortSignal.any([gone.signal, AbortSignal.timeout(timeout)]));
  } finally {
    clearInterval(timer);
  }
}
