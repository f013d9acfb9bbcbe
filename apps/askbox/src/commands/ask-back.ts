import { basename } from "node:path";
import type { AnswerFile } from "@askbox/core/questions";
import { commandWith, type DefineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { peopleOnly } from "../people-only.ts";
import { askerName, shortId } from "../text/session-names.ts";
import { repeated } from "../usage.ts";

export const command: DefineCommand = (run) =>
  commandWith("ask-back", "Ask the agent something before you answer; the questions stay open", [
    ["askbox ask-back k3f9 'Why not Postgres?'", "askbox show k3f9 shows the reply when it arrives"],
    ["askbox ask-back k3f9 'Which one is faster?' --question db", "about one of several questions"],
    ["askbox ask-back k3f9 'I see this instead.' --file shot.png", "with a screenshot"],
  ])
    .argument("<id>", "the id of the questions, or a unique prefix of at least 4 characters")
    .argument("<text>", "your question to the agent; basic markdown, at most 4,000 characters")
    .option("--question <id>", "the question it is about")
    .option("--file <path>", "attach a file, such as a screenshot", repeated)
    .action(run(askBack));

interface Flags {
  question?: string;
  file?: string[];
}

async function askBack(context: CommandContext, id: string, text: string, { question, file: paths = [] }: Flags): Promise<ExitCode> {
  await peopleOnly(context, "ask back about");
  const desk = await context.desk();
  const { id: sessionId } = await desk.get(id);
  const files: AnswerFile[] = [];
  for (const path of paths) files.push({ name: basename(path), ...(await context.upload(sessionId, path)) });
  const session = await desk.askBack(sessionId, { text, questionId: question, ...(files.length > 0 && { files }) });
  const isGone = session.presence.asker === "away";
  const next = isGone ? "The agent has left; it gets this with its next call." : "The agent gets it now; the questions stay open.";
  await context.io.stdout.write(`Asked ${askerName(session.asker)} about ${shortId(session.id)}. ${next}\n`);
  return exitCodes.done;
}
