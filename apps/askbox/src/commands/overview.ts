import { isDenial } from "@askbox/inbox/list";
import type { Command } from "commander";
import { commandWith, type DefineCommand } from "../command.ts";
import type { CommandContext, InboxOptions } from "../context.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { allSessions } from "../sessions-of.ts";
import { answerLines } from "../text/answer-lines.ts";
import { paintFor } from "../text/paint.ts";
import { shortId } from "../text/session-names.ts";
import { byDeadline, sessionTable } from "../text/session-table.ts";
import { usageError } from "../usage.ts";

/** `askbox` alone: the inbox in a terminal; otherwise the pending questions and how to answer them. */
export const command: DefineCommand = (run) =>
  withInboxOptions(commandWith("overview", "Show pending questions", [["askbox", "pending questions"]])).action(run(inboxOrOverview));

/** The options of `askbox` without a subcommand. */
export function withInboxOptions(command: Command): Command {
  return command
    .option("--project <folder>", "only questions from this project folder")
    .option("--once", "show the next question, then exit")
    .option("--session <id>", "open this question");
}

/** Does not open the inbox in a coding agent's terminal, where the reader may not be a person. */
async function inboxOrOverview(context: CommandContext, options: InboxOptions): Promise<ExitCode | number> {
  const { terminalInbox } = context;
  if (terminalInbox !== undefined && context.io.stdout.isTerminal && (await context.agentToRefuse()) === undefined) {
    return terminalInbox({
      ...options,
      project: options.project === undefined ? undefined : await (await import("@askbox/home/environment")).projectFolder(options.project),
    });
  }
  if (options.once === true || options.session !== undefined)
    throw usageError("--once and --session need a terminal; see askbox help answer.");
  return overview(context, options);
}

async function overview(context: CommandContext, { project }: InboxOptions): Promise<ExitCode> {
  const { stdout } = context.io;
  const paint = paintFor(stdout);
  const folder = project === undefined ? undefined : await (await import("@askbox/home/environment")).projectFolder(project);
  const sessions = (await allSessions(await context.desk(), "pending"))
    .filter(({ asker }) => folder === undefined || asker.project === folder)
    .sort(byDeadline);
  const [first] = sessions;
  if (first === undefined) {
    await stdout.write(
      `No questions are waiting.\n\n  askbox demo       see how it works, with an agent that asks\n  askbox ask TEXT   ask something yourself\n  askbox --help     all commands\n`,
    );
    return exitCodes.done;
  }
  const table = sessionTable(sessions, { columns: stdout.columns, now: context.now(), paint, allPending: true });
  const lines = [`askbox show ${shortId(first.id)}`, ...answerLines(first), "askbox --help"];
  const waiting = sessions.filter((session) => !isDenial(session)).length;
  const head =
    waiting === 0
      ? "Nobody is waiting for an answer; a model has denied these calls."
      : waiting === 1
        ? "One agent is waiting for an answer."
        : `${waiting} agents are waiting for an answer.`;
  await stdout.write(`${paint("bold", head)}\n\n${table}\n${lines.map((line) => `  ${line}\n`).join("")}`);
  return exitCodes.done;
}
