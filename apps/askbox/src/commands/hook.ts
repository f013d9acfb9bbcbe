import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { type HookEvent, type HookOutcome, hookReply, hookSources, readHookEvent, readTranscript } from "@askbox/clients/hooks";
import {
  AskboxError,
  askedBack,
  askResult,
  earlierResult,
  isAskboxError,
  limits,
  parseAsk,
  standardPlatform,
  toAskboxError,
} from "@askbox/core";
import type { ClientName } from "@askbox/core/clients";
import { parseExact } from "@askbox/core/schemas";
import { ensurePrivateFolder, homeFiles, homeFolders, writePrivateFile } from "@askbox/home";
import { commandWith, type DefineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { writeJsonLine } from "../json-output.ts";
import { timeoutFlag } from "../usage.ts";

export const command: DefineCommand = (run) => {
  const command = commandWith("hook", "Bring a client's own questions and permission requests to the inbox; run by its hook", [
    ["askbox install claude-code --with-hooks", "makes Claude Code run it"],
    ["askbox install codex --approvals", "makes Codex run it"],
    ["askbox install opencode --approvals", "makes OpenCode run it"],
    ["askbox install copilot-cli --approvals", "makes Copilot CLI run it"],
    ["askbox hook claude-code --timeout 600000", "wait 10 minutes for an answer"],
    ["askbox hook claude-code --wake", "wake an idle conversation when its question is answered"],
  ])
    .argument("<client>", "the client")
    .option("--timeout <time>", "how long to wait, 10s to 30m", timeoutFlag)
    .option("--overruled", "only let a call through that a model denied and a person allowed once")
    .option("--wake", "wait for the answer to a question that a conversation has open, and wake it");
  command.registeredArguments[0]?.choices(hookSources.map(({ client }) => client));
  return command.action(run(hook));
};

interface HookFlags {
  timeout?: number;
  overruled?: boolean;
  wake?: boolean;
}

/** The longest that a client may take to write its event, in ms. */
const readTime = 30_000;

/**
 * Reads a hook's event from standard input and answers it. The client must be able to continue whatever happens, so the exit code is 0 (but for waking, see `waitForNews`),
 * and if nothing is printed, the client shows its own dialog. `timeout` counts from the start, also while the event is read.
 */
async function hook(
  context: CommandContext,
  client: ClientName,
  { timeout: given, overruled, wake = false }: HookFlags,
): Promise<ExitCode> {
  const { io } = context;
  const began = context.now();
  let text: string;
  let event: HookEvent | undefined;
  let plain: unknown;
  try {
    text = await io.stdin.text({ json: true, within: Math.min(given ?? readTime, readTime) });
    event = overruled ? undefined : readHookEvent(text);
    plain = event === undefined ? parseExact(text) : undefined;
  } catch (error) {
    const why = isAskboxError(error) ? error.message : "It is not valid JSON, or uses a name twice.";
    await io.stderr.write(`askbox: The client's event cannot be read, so it is not in the inbox. ${why}\n`);
    return exitCodes.done;
  }
  if (wake) return (await import("../client/wait-for-news.ts")).waitForNews(context, client, plain ?? {});
  const timeout = given === undefined ? undefined : left(given, context.now() - began);
  if (event === undefined) {
    const { relayEvent } = await import("../client/relay-event.ts");
    return relayEvent(context, client, plain, timeout);
  }
  const headless = isHeadless(io.env);
  const { outcome, ack } = await askFor(context, event, { timeout, headless });
  if (outcome.kind === "unreached") await io.stderr.write(`askbox: ${outcome.why}\n`);
  const reply = hookReply(event, outcome, { headless });
  if (reply !== undefined) await writeJsonLine(io.stdout, JSON.stringify(reply));
  // An undelivered answer is kept for the next ask.
  await ack?.().catch(() => {});
  return exitCodes.done;
}

/** What is left of a timeout after whole seconds, as long as an ask can have it. */
function left(timeout: number, elapsed: number): number {
  const rest = timeout - 1_000 * Math.max(0, Math.floor(elapsed / 1_000));
  return Math.min(timeout, Math.max(limits.timeout.min, rest));
}

interface Asked {
  outcome: HookOutcome;
  /** Records that the client received the outcome. */
  ack?: () => Promise<void>;
}

async function askFor(
  context: CommandContext,
  event: HookEvent,
  options: { timeout: number | undefined; headless: boolean },
): Promise<Asked> {
  try {
    const settings = await context.settings();
    // A user at the client sees nothing there meanwhile, so the default timeout applies; in headless mode, the maximum.
    const timeout = options.timeout ?? (options.headless ? limits.timeout.max : settings.timeout);
    const request = parseAsk({ ...event.ask, timeout }, { ids: standardPlatform(globalThis).ids });
    const [info, asker] = await Promise.all([askerOf(event), reachedAsker(context)]);
    const agent = event.conversation === undefined ? undefined : { id: event.conversation, agentId: event.agentId };
    const replaces = agent && takeAskedBack(context.io.env, agent);
    const how = { asker: info, earlier: false };
    let handover = await asker.ask(request, { ...how, replaces }).catch((error: unknown) => {
      if (replaces !== undefined && isAskboxError(error, "SESSION_NOT_FOUND")) return asker.ask(request, how);
      throw error;
    });
    const isEarlier = handover.session.id === replaces;
    if (isEarlier && handover.session.state === "timedOut") {
      await handover.ack().catch(() => {});
      handover = await asker.ask(request, how);
    } else if (isEarlier) {
      return { outcome: { kind: "earlier", result: earlierResult(handover.session) }, ack: () => handover.ack() };
    }
    const { session } = handover;
    if (agent !== undefined && session.state === "pending" && askedBack(session).length > 0)
      rememberAskedBack(context.io.env, agent, session.id);
    return { outcome: { kind: "settled", result: askResult(session) }, ack: () => handover.ack() };
  } catch (thrown) {
    return { outcome: { kind: "unreached", why: toAskboxError(thrown).message } };
  }
}

/** A hub elsewhere can't be started, and the client's own dialog comes within 2 s. */
const elsewhereTimeout = 1_500;

async function reachedAsker(context: CommandContext) {
  const elsewhere = await context.asksElsewhere();
  if (elsewhere === undefined) return context.asker();
  const late = Promise.withResolvers<never>();
  const sentence = `The hub at ${elsewhere.url} did not answer within ${elsewhereTimeout / 1_000} seconds.`;
  const timer = setTimeout(() => late.reject(new AskboxError("HUB_UNREACHABLE", sentence)), elsewhereTimeout);
  return Promise.race([context.asker(), late.promise]).finally(() => clearTimeout(timer));
}

async function askerOf({ cwd, agentId, conversation, transcript }: HookEvent) {
  const { gitBranch, gitChanges, gitRepository, projectFolder, workingFolder } = await import("@askbox/home/environment");
  const folder = cwd ?? workingFolder();
  const project = folder === undefined ? undefined : await projectFolder(folder);
  const [branch, repository, last, changes] = await Promise.all([
    project === undefined ? undefined : gitBranch(project),
    project === undefined ? undefined : gitRepository(project),
    readTranscript(transcript),
    project === undefined ? undefined : gitChanges(project),
  ]);
  const background = { ...last, ...(changes !== undefined && { changes }) };
  return { client: { name: "claude-code" }, project, conversation, branch, repository, agentId, background };
}

/** Claude Code sets `cli` if a person is at the terminal, and the name of an SDK if a program is. */
const isHeadless = (env: CommandContext["io"]["env"]) => (env["CLAUDE_CODE_ENTRYPOINT"] ?? "").startsWith("sdk");

/** Milliseconds. No question is pending for longer. */
const maxAge = 86_400_000;
/** Files in the folder that are looked at. */
const maxFiles = 1_000;

/** One agent of one of a client's conversations. */
interface ConversationAgent {
  /** The conversation's. */
  id: string;
  agentId: string | undefined;
}

/** Remembers the session in which a person has asked something back: the agent's next question, in whatever words, takes its place. */
function rememberAskedBack(env: NodeJS.ProcessEnv, agent: ConversationAgent, sessionId: string): void {
  const { askedBack } = homeFiles(homeFolders({ env }));
  ensurePrivateFolder(askedBack);
  for (const name of readdirSync(askedBack).slice(0, maxFiles)) {
    const file = join(askedBack, name);
    if (Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) > maxAge) rmSync(file, { force: true });
  }
  writePrivateFile(fileOf(askedBack, agent), sessionId);
}

/** The session, once. */
function takeAskedBack(env: NodeJS.ProcessEnv, agent: ConversationAgent): string | undefined {
  const file = fileOf(homeFiles(homeFolders({ env })).askedBack, agent);
  try {
    const id = readFileSync(file, "utf8").trim();
    rmSync(file, { force: true });
    return id === "" ? undefined : id.slice(0, 200);
  } catch {
    return undefined;
  }
}

const fileOf = (folder: string, { id, agentId = "" }: ConversationAgent): string =>
  join(
    folder,
    createHash("sha256")
      .update(JSON.stringify([id, agentId]))
      .digest("hex")
      .slice(0, 32),
  );
