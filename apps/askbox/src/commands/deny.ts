import { describeOutcome } from "@askbox/inbox/describe";
import { isDenial } from "@askbox/inbox/list";
import { denialPhrases, endingText } from "@askbox/inbox/text";
import { commandWith, type DefineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { decide } from "../decide.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { askerName, shortId } from "../text/session-names.ts";

export const command: DefineCommand = (run) =>
  commandWith("deny", "Deny an agent's permission request", [
    ["askbox deny k3f9", "without a reason"],
    ["askbox deny k3f9 'Use the staging database'", "with a reason for the agent"],
    ["askbox deny k3f9", "of a call that a model has denied: agrees with that"],
  ])
    .argument("<id>", "its id, or a unique prefix of at least 4 characters")
    .argument("[reason]", "the reason, shown to the agent")
    .action(run(deny));

async function deny(context: CommandContext, id: string, reason: string | undefined): Promise<ExitCode> {
  const session = await decide(context, "deny", id, { values: ["deny"], customText: reason });
  const said = isDenial(session) ? `${denialPhrases.agreed}:` : endingText(describeOutcome(session));
  await context.io.stdout.write(`${said} ${shortId(session.id)} from ${askerName(session.asker)}.\n`);
  return exitCodes.done;
}
