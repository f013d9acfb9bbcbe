import { describeOutcome } from "@askbox/inbox/describe";
import { endingText } from "@askbox/inbox/text";
import { commandWith, type DefineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { decide } from "../decide.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { askerName, shortId } from "../text/session-names.ts";

export const command: DefineCommand = (run) =>
  commandWith("deny", "Deny an agent's permission request", [
    ["askbox deny k3f9", "without a reason"],
    ["askbox deny k3f9 'Use the staging database'", "with a reason for the agent"],
  ])
    .argument("<id>", "its id, or a unique prefix of at least 4 characters")
    .argument("[reason]", "the reason, shown to the agent")
    .action(run(deny));

async function deny(context: CommandContext, id: string, reason: string | undefined): Promise<ExitCode> {
  const session = await decide(context, "deny", id, { values: ["deny"], customText: reason });
  await context.io.stdout.write(`${endingText(describeOutcome(session))} ${shortId(session.id)} from ${askerName(session.asker)}.\n`);
  return exitCodes.done;
}
