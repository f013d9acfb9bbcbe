import type { SessionView } from "@askbox/core";
import { roundedDuration } from "@askbox/inbox/text";
import { commandWith, type DefineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { peopleOnly } from "../people-only.ts";
import { askerName, shortId } from "../text/session-names.ts";
import { duration } from "../usage.ts";

export const command: DefineCommand = (run) =>
  commandWith("extend", "Give questions more time", [
    ["askbox extend k3f9 15m", "15 minutes from now"],
    ["askbox extend k3f9 none", "no deadline at all"],
    ["askbox extend k3f9 90000", "milliseconds from now"],
  ])
    .argument("<id>", "the id of the questions, or a unique prefix of at least 4 characters")
    .argument("<time>", "how long from now: 5m, 1h, 90s, milliseconds, or none; 1 second to 1 day, and never less than the time left")
    .action(run(extend));

async function extend(context: CommandContext, id: string, time: string): Promise<ExitCode> {
  await peopleOnly(context, "extend");
  const timeout = time === "none" ? null : readTime(time);
  const session = await (await context.desk()).extend(id, { timeout });
  await context.io.stdout.write(`${confirmation(session, context.now())}\n`);
  return exitCodes.done;
}

const readTime = duration("TIME", { words: "a duration from 1s to 1d such as 15m or 90s, or none", min: 1_000, max: 86_400_000 });

function confirmation({ id, asker, deadlineAt }: SessionView, now: number): string {
  const left = deadlineAt === null ? "no longer has a deadline" : `has ${roundedDuration(deadlineAt - now)} left`;
  return `${shortId(id)} from ${askerName(asker)} ${left}.`;
}
