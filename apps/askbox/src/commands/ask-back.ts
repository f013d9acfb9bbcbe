import { commandWith, type DefineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { peopleOnly } from "../people-only.ts";
import { askerName, shortId } from "../text/session-names.ts";

export const command: DefineCommand = (run) =>
  commandWith("ask-back", "Ask the agent something before you answer; the questions stay open", [
    ["askbox ask-back k3f9 'Why not Postgres?'", "askbox show k3f9 shows the reply when it arrives"],
    ["askbox ask-back k3f9 'Which one is faster?' --question db", "about one of several questions"],
  ])
    .argument("<id>", "the id of the questions, or a unique prefix of at least 4 characters")
    .argument("<text>", "your question to the agent; basic markdown, at most 4,000 characters")
    .option("--question <id>", "the question it is about")
    .action(run(askBack));

async function askBack(context: CommandContext, id: string, text: string, { question }: { question?: string }): Promise<ExitCode> {
  await peopleOnly(context, "ask back about");
  const message = { text, questionId: question };
  const session = await (await context.desk()).askBack(id, message);
  const isGone = session.presence.asker === "away";
  const next = isGone ? "The agent has left; it gets this with its next call." : "The agent gets it now; the questions stay open.";
  await context.io.stdout.write(`Asked ${askerName(session.asker)} about ${shortId(session.id)}. ${next}\n`);
  return exitCodes.done;
}
