import { rmSync, statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { hookSources, hookTimeout, readTranscript } from "@askbox/clients/hooks";
import { toAskboxError } from "@askbox/core";
import type { Background, ClientName } from "@askbox/core/clients";
import type { CommandContext } from "../context.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { hubCommand } from "../hub-command.ts";
import { writeJsonLine } from "../json-output.ts";

/**
 * Milliseconds to find the hub, and to start it if somebody is to be asked; after that the client continues on its own. A hub elsewhere can't
 * be started, and the client's own prompt comes within 2 s.
 */
const [findTimeout, startTimeout, elsewhereTimeout] = [900, 5_000, 1_500];
/** Milliseconds. Shorter than the client's own limit, so that the client never has to kill the hook. */
const longestWait = (hookTimeout - 60) * 1_000;

/**
 * Sends a client's event to the hub and returns the answer. Prints nothing unless somebody decided, so that the client's own prompt or rule applies. A
 * request starts the hub if none is running; if that fails, the client is told so that it can show it. The connection stays open as long as this process runs, so that the hub sees when nobody is waiting.
 */
export async function relayEvent(
  { io, globals, asksElsewhere, now }: CommandContext,
  client: ClientName,
  event: unknown,
  timeout: number = longestWait,
): Promise<ExitCode> {
  const source = hookSources.find((each) => each.client === client);
  // Unlike the folder of a command, this is not chosen by the agent.
  const { projectFolder, workingFolder } = await import("@askbox/home/environment");
  const folder = workingFolder();
  // What a tool has returned may be more than the hub takes, and nothing is read of it.
  const { tool_response: _, ...sent } = Object(event) as { tool_response?: unknown; cwd?: unknown };
  const { cwd } = sent;
  const named = typeof cwd === "string" && isAbsolute(cwd) ? { ...sent, cwd: await projectFolder(cwd) } : sent;
  const meant = source?.read({ ...named, askbox: { folder } });
  if (source === undefined || meant === undefined) return exitCodes.done;
  const { findHub, gitBranch, gitRepository, homeFiles, homeFolders, noteReached, noteUnreached, requestHub } = await import(
    "@askbox/home"
  );
  const elsewhere = await asksElsewhere();
  let isFound = false;
  const start = meant.kind !== "over" && meant.kind !== "follows";
  const limit = !start ? findTimeout : elsewhere === undefined ? startTimeout : elsewhereTimeout;
  try {
    const place = start && meant.kind !== "call" ? meant.cwd : undefined;
    const [branch, repository, background] =
      place === undefined ? [] : await Promise.all([gitBranch(place), gitRepository(place), backgroundOf(event, place)]);
    const options = {
      role: "asker",
      env: io.env,
      hubUrl: globals.hub,
      tokenFile: globals.tokenFile,
      start,
      hubCommand: hubCommand(),
    } as const;
    const hub = await findHub({ ...options, signal: AbortSignal.timeout(limit) });
    isFound = true;
    if (elsewhere !== undefined) {
      const folders = homeFolders({ env: io.env });
      noteReached(folders);
      await markDenied(homeFiles(folders).overruled, meant.kind, now());
    }
    // Claude Code says whether somebody sits at it, so that a prompt of its own can follow.
    const isAttended = io.env["CLAUDE_CODE_SESSION_ATTENDED"] !== "0";
    const body = { ...named, askbox: { branch, repository, background, folder, isAttended } };
    const answer = await untilGone(io.env["CLAUDE_PID"], timeout, (signal) =>
      requestHub(hub, { method: "POST", path: source.path, body, timeout: 0, signal, exact: true }),
    );
    if (answer !== undefined) await writeJsonLine(io.stdout, JSON.stringify(answer));
  } catch (error) {
    if (!start) return exitCodes.done;
    const { code, message } = toAskboxError(error);
    const why = code === "ABORTED" && !isFound ? `No askbox hub answered within ${limit / 1_000} seconds.` : message;
    // Once per outage: each prompt that the client now shows says enough.
    if (elsewhere !== undefined && !isFound && !noteUnreached(homeFolders({ env: io.env }))) return exitCodes.done;
    await io.stderr.write(`askbox: ${why}\n`);
    const told = isFound || meant.kind === "denied" || meant.kind === "call" ? undefined : source.unreached?.(why);
    if (told !== undefined) await writeJsonLine(io.stdout, JSON.stringify(told));
  }
  return exitCodes.done;
}

/** Milliseconds. A denial is gone after a day, and what was overruled at its end a quarter of an hour later. */
const overruledWithin = 25 * 3_600_000;

/**
 * The hook that runs before every call starts a program only if a file says that one may be let through. The hub writes it on its own machine;
 * on another one, a denial here is all that is known, so the file stays for as long as that one may be overruled.
 */
async function markDenied(mark: string, kind: string, now: number): Promise<void> {
  const { writePrivateFile } = await import("@askbox/home");
  if (kind === "denied") writePrivateFile(mark, "");
  if (kind !== "call") return;
  const { mtimeMs } = statSync(mark, { throwIfNoEntry: false }) ?? {};
  if (mtimeMs !== undefined && now - mtimeMs > overruledWithin) rmSync(mark, { force: true });
}

/** What the agent was doing, read in its place. */
async function backgroundOf(event: unknown, project: string): Promise<Background> {
  const { gitChanges } = await import("@askbox/home");
  const { transcript_path: transcript } = Object(event) as { transcript_path?: unknown };
  const [last, changes] = await Promise.all([readTranscript(transcript), gitChanges(project)]);
  return { ...last, ...(changes !== undefined && { changes }) };
}

/** Gives up when the client's process is gone: a killed client leaves its hooks running. */
export async function untilGone<Result>(
  pid: string | undefined,
  timeout: number,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const gone = new AbortController();
  const { ppid: parent } = process;
  const timer = setInterval(() => {
    try {
      if (pid !== undefined) process.kill(Number(pid), 0);
      // A hook in the background may outlive the shell that started it.
      else if (process.ppid !== parent) gone.abort();
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
