import { commandWith, type DefineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { answerLines } from "../text/answer-lines.ts";
import { paintFor } from "../text/paint.ts";
import { shortId } from "../text/session-names.ts";
import { sessionTable } from "../text/session-table.ts";
import { allSessions } from "./list.ts";

/** `askbox` alone: what waits, and what to do about it. */
export const command: DefineCommand = (run) =>
  commandWith("overview", "Show what waits for an answer", [["askbox", "what waits"]]).action(run(overview));

async function overview(context: CommandContext): Promise<ExitCode> {
  const { stdout } = context.io;
  const paint = paintFor(stdout);
  const sessions = await allSessions(await context.desk(), "pending");
  const [first] = sessions;
  if (first === undefined) {
    await stdout.write(
      `Nothing waits for an answer.\n\n  askbox demo       see how it works, with an agent that asks\n  askbox ask TEXT   ask something yourself\n  askbox --help     all commands\n`,
    );
    return exitCodes.done;
  }
  const table = sessionTable(sessions, { columns: stdout.columns, now: context.now(), paint, allPending: true });
  const lines = [`askbox show ${shortId(first.id)}`, ...answerLines(first), "askbox --help"];
  const head = sessions.length === 1 ? "One agent waits for an answer." : `${sessions.length} agents wait for an answer.`;
  await stdout.write(`${paint("bold", head)}\n\n${table}\n${lines.map((line) => `  ${line}\n`).join("")}`);
  return exitCodes.done;
}
