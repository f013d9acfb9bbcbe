import { openLedger } from "@askbox/clients";
import { isAskboxError } from "@askbox/core";
import { type ClientName, clientNames } from "@askbox/core/clients";
import { homeFiles, homeFolders } from "@askbox/home";
import { terminalLine } from "@askbox/terminal-text";
import type { CommandContext } from "../context.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { writeJson } from "../json-output.ts";
import { usageError } from "../usage.ts";
import { type Candidate, findCandidates, type SetupFlags, setupSystem } from "./candidates.ts";
import { previewLines, setupChecklist } from "./choose.ts";
import { type Installed, installChosen } from "./install-chosen.ts";
import { SetupReport } from "./setup-report.ts";
import { type Tried, tryOne } from "./try-one.ts";

/**
 * Finds the clients, lets the person choose, sets those up, starts the hub, and asks a first question through one client's own entry. Resolves
 * with the exit code: 3 if the person left, 1 if a client could not be set up or the question didn't arrive.
 */
export async function runSetup(context: CommandContext, names: readonly ClientName[], flags: SetupFlags): Promise<ExitCode> {
  const candidates = await findCandidates(context, names, flags);
  if (candidates.length === 0) {
    const known = clientNames.join(", ");
    throw usageError(`None of the clients that askbox knows is on this machine. Name one to set it up all the same: ${known}.`);
  }
  const report = new SetupReport(context);
  const files = homeFiles(homeFolders({ env: context.io.env }));
  const chosen = await choose(context, report, candidates, flags);
  if (chosen === undefined) {
    await report.say("Nothing was changed.");
    return exitCodes.cancelled;
  }
  const stop = new AbortController();
  const stopListening = context.onInterrupt(() => stop.abort());
  try {
    const installed = [...installChosen(candidates, chosen, () => openLedger(files)), ...(flags.yes ? blockedOf(candidates) : [])];
    if (!flags.json) await report.installed(installed);
    const tried = await tryOne(context, candidates, installed, { isAnswered: !flags.yes, signal: stop.signal });
    if (flags.json) await writeJson(context.io.stdout, documentOf(candidates, installed, tried));
    else await report.tried(tried, installed);
    return exitCodeOf(installed, tried);
  } finally {
    stopListening();
  }
}

/** The clients to set up; undefined if the person left. */
async function choose(
  context: CommandContext,
  report: SetupReport,
  candidates: readonly Candidate[],
  { yes }: SetupFlags,
): Promise<ReadonlySet<string> | undefined> {
  const free = new Set<string>(candidates.filter(({ state }) => state === "new").map(({ client }) => client));
  if (yes) return free;
  if (context.checklist !== undefined) return context.checklist(setupChecklist(candidates, setupSystem(context).home));
  await report.preview(previewLines(candidates, free, false));
  throw usageError("There is no terminal to choose in, and nothing was changed. To set these clients up, add --yes.");
}

/** Without a person who has seen it, a client that can't be set up counts as a failure. */
const blockedOf = (candidates: readonly Candidate[]): Installed[] =>
  candidates.flatMap((candidate) => (candidate.state === "blocked" ? [{ ...candidate, state: "failed" as const }] : []));

function exitCodeOf(installed: readonly Installed[], tried: Tried | undefined): ExitCode {
  if (tried?.kind === "failed") return isAskboxError(tried.error, "HUB_UNREACHABLE") ? exitCodes.noHub : exitCodes.failed;
  if (installed.some(({ state }) => state === "failed")) return exitCodes.failed;
  if (tried === undefined) return exitCodes.done;
  const { asked } = tried;
  if (asked.kind === "left") return exitCodes.cancelled;
  if (asked.kind === "arrived" || asked.result.answered) return exitCodes.done;
  return asked.result.cancelled ? exitCodes.cancelled : exitCodes.timed_out;
}

function documentOf(candidates: readonly Candidate[], installed: readonly Installed[], tried: Tried | undefined) {
  const clients = candidates.map(({ client, state, ...rest }) => {
    const now = installed.find((each) => each.client === client);
    if (now !== undefined)
      return { client, state: now.state, ...(now.state === "installed" ? { files: now.files } : { problem: now.problem }) };
    return { client, state, ...("problem" in rest && { problem: rest.problem }) };
  });
  const question =
    tried === undefined
      ? null
      : {
          client: tried.client,
          command: tried.command,
          ...(tried.kind === "failed" ? { error: terminalLine(tried.error.message) } : { arrived: true }),
        };
  return { clients, question };
}
