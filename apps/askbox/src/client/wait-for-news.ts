import { setTimeout as pause } from "node:timers/promises";
import { wakeWays } from "@askbox/clients/wake";
import { toAskboxError } from "@askbox/core";
import type { ClientName } from "@askbox/core/clients";
import type { FoundHub } from "@askbox/home";
import type { CommandContext } from "../context.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { untilGone } from "./relay-event.ts";

/**
 * A client's hook that waits, in the background, for news of a question that its conversation has open, so that the conversation goes on when
 * somebody answers. It never starts a hub. Nothing to wait for, nobody at the client, no hub: it ends at once, with code 0.
 *
 * Claude Code begins a turn with what the hook says when it ends with code 2. Such words count as nobody's there, so they only say to call
 * `get_answer`. OpenCode's plugin makes a message of what is printed, and writes a line when OpenCode has it; only then the outcome counts as
 * delivered.
 */

/** Milliseconds to find the hub; between attempts when a hub it waited at has ended; and a wait that counts as one. */
const [findTimeout, retryEvery, waited] = [900, 2_000, 1_000];
/** Exit code with which Claude Code wakes. */
const wakes = exitCodes.usage;
/** Milliseconds. No question is open for longer. */
const longest = 86_400_000;

interface News {
  words: string;
  id: string;
  sessionId: string;
}

export async function waitForNews(context: CommandContext, client: ClientName, event: unknown): Promise<ExitCode> {
  const { io, now } = context;
  const { session_id: conversation, sessions } = Object(event) as Record<string, unknown>;
  const { listens, attendedBy } = wakeWays[client] ?? {};
  if (attendedBy !== undefined && io.env[attendedBy] !== "1") return exitCodes.done;
  const body = { client, conversation, sessions };
  return untilGone(io.env["CLAUDE_PID"], longest, async (signal) => {
    for (let hasWaited = false; ; ) {
      const began = now();
      try {
        const hub = await hubOf(context);
        const news = await ask(hub, body, signal);
        return news === undefined ? exitCodes.done : await (listens === "nudge" ? nudge(context, news) : give(context, hub, news));
      } catch (error) {
        hasWaited ||= now() - began > waited;
        // A hub that ends while it is waited at is started again by whoever needs it.
        if (!hasWaited || signal.aborted || toAskboxError(error).code !== "HUB_UNREACHABLE") return exitCodes.done;
        await pause(retryEvery, undefined, { signal }).catch(() => {});
      }
    }
  });
}

async function hubOf({ io, globals }: CommandContext): Promise<FoundHub> {
  const { findHub } = await import("@askbox/home");
  const { hub: hubUrl, tokenFile } = globals;
  return findHub({ role: "asker", env: io.env, hubUrl, tokenFile, signal: AbortSignal.timeout(findTimeout) });
}

async function ask(hub: FoundHub, body: object, signal: AbortSignal): Promise<News | undefined> {
  const { requestHub } = await import("@askbox/home");
  const told = await requestHub(hub, { method: "POST", path: "/hooks/wake", body, timeout: 0, signal });
  const { words, id, sessionId } = Object(told) as Record<string, unknown>;
  return typeof words === "string" && typeof id === "string" && typeof sessionId === "string" ? { words, id, sessionId } : undefined;
}

async function nudge({ io }: CommandContext, { words }: News): Promise<ExitCode> {
  await io.stderr.write(`${words}\n`);
  return wakes;
}

/** Milliseconds in which the plugin says that OpenCode has the message. */
const confirmWithin = 9_000;

async function give({ io }: CommandContext, hub: FoundHub, news: News): Promise<ExitCode> {
  const { requestHub } = await import("@askbox/home");
  await io.stdout.write(`${JSON.stringify(news)}\n`);
  const line = await io.stdin.text({ lines: 1, within: confirmWithin }).catch(() => "");
  if (line.trim() !== "") await requestHub(hub, { method: "POST", path: "/hooks/wake", body: { done: news.id } }).catch(() => {});
  return exitCodes.done;
}
