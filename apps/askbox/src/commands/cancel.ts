import { endingNames } from "@askbox/inbox/text";
import { commandWith, type DefineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { peopleOnly } from "../people-only.ts";
import { askerName, shortId } from "../text/session-names.ts";

export const command: DefineCommand = (run) =>
  commandWith("cancel", "Decline questions, so that the agent continues without an answer", [
    ["askbox cancel k3f9", "without a reason"],
    ["askbox cancel k3f9 --reason 'Use your own judgement'", "with a reason for the agent"],
  ])
    .argument("<id>", "the id of the questions, or a unique prefix of at least 4 characters")
    .option("--reason <text>", "the reason, shown to the agent")
    .action(run(cancel));

async function cancel(context: CommandContext, id: string, options: { reason?: string }): Promise<ExitCode> {
  await peopleOnly(context, "cancel");
  const session = await (await context.desk()).cancel(id, { reason: options.reason });
  await context.io.stdout.write(`${endingNames.declined} ${shortId(session.id)} from ${askerName(session.asker)}.\n`);
  return exitCodes.done;
}
