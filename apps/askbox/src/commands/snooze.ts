import { roundedDuration } from "@askbox/inbox/text";
import { commandWith, type DefineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { peopleOnly } from "../people-only.ts";
import { askerName, shortId } from "../text/session-names.ts";
import { duration } from "../usage.ts";

export const command: DefineCommand = (run) =>
  commandWith("snooze", "Move questions to the end of your list for a while", [
    ["askbox snooze k3f9 15m", "not before 15 minutes from now"],
    ["askbox snooze k3f9 none", "back to their place"],
  ])
    .argument("<id>", "the id of the questions, or a unique prefix of at least 4 characters")
    .argument("<time>", "how long from now: 5m, 1h, 90s, milliseconds, or none; 1 second to 30 days. The deadline stays")
    .action(run(snooze));

async function snooze(context: CommandContext, id: string, time: string): Promise<ExitCode> {
  await peopleOnly(context, "snooze");
  const length = time === "none" ? undefined : readTime(time);
  const until = length === undefined ? null : context.now() + length;
  const session = await (await context.desk()).snooze(id, { until });
  const { snoozedUntil } = session;
  const state = snoozedUntil === undefined ? "is awake" : `is snoozed for ${roundedDuration(snoozedUntil - context.now())}`;
  await context.io.stdout.write(`${shortId(session.id)} from ${askerName(session.asker)} ${state}.\n`);
  return exitCodes.done;
}

const readTime = duration("TIME", { words: "a duration from 1s to 30d such as 15m or 2h, or none", min: 1_000, max: 2_591_000_000 });
