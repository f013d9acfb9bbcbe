import { clientTitle } from "@askbox/core/clients";
import { deliveryText } from "@askbox/inbox/text";
import { terminalLine } from "@askbox/terminal-text";
import { commandWith, type DefineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { peopleOnly } from "../people-only.ts";
import { shortId } from "../text/session-names.ts";

export const command: DefineCommand = (run) =>
  commandWith("wake", "Wake an agent with an answer or a message that it has not received, also if it has gone", [
    ["askbox wake k3f9", "by the id of the questions; askbox show k3f9 says what will happen"],
  ])
    .argument("<id>", "the id of the questions, or a unique prefix of at least 4 characters")
    .action(run(wake));

async function wake(context: CommandContext, id: string): Promise<ExitCode> {
  await peopleOnly(context, "wake");
  const session = await (await context.desk()).wake(id);
  const agent = terminalLine(clientTitle(session.asker.client.name));
  await context.io.stdout.write(`${shortId(session.id)} from ${agent}: ${deliveryText(session, terminalLine)}\n`);
  return session.waking?.state === "failed" ? exitCodes.failed : exitCodes.done;
}
