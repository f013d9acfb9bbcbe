import { commandWith, type DefineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { peopleOnly } from "../people-only.ts";
import { askerName, shortId } from "../text/session-names.ts";

export const command: DefineCommand = (run) =>
  commandWith("cancel", "Turn questions down, so that the agent goes on without an answer", [
    ["askbox cancel k3f9", "no answer, no reason given"],
    ["askbox cancel k3f9 --reason 'Use your own judgement'", "the agent is told why"],
  ])
    .argument("<id>", "the questions' id, or a unique prefix of 4 characters or more")
    .option("--reason <text>", "what the agent is told")
    .action(run(cancel));

async function cancel(context: CommandContext, id: string, options: { reason?: string }): Promise<ExitCode> {
  await peopleOnly(context, "cancel");
  const session = await (await context.desk()).cancel(id, options.reason === undefined ? {} : { reason: options.reason });
  await context.io.stdout.write(`Cancelled ${shortId(session.id)} from ${askerName(session.asker)}.\n`);
  return exitCodes.done;
}
