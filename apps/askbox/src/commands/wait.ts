import { AskboxError, type Asker, type Handover, isAskboxError, type ResumeOptions } from "@askbox/core";
import { commandWith, type DefineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import type { ExitCode } from "../exit-codes.ts";
import { reportOutcome, wantsEarlier } from "../report-outcome.ts";
import { timeoutFlag } from "../usage.ts";

interface WaitFlags {
  reply?: string;
  timeout?: number;
  json?: boolean;
}

export const command: DefineCommand = (run) =>
  commandWith("wait", "Keep waiting for earlier questions", [
    ["askbox wait k3f9", "prints what askbox ask would have printed"],
    ["askbox wait k3f9 --reply 'It needs a server.'", "replies to a person who asked back"],
    ["askbox wait k3f9 --json --timeout 60000", "for at most a minute; exit code 4 if it is still open"],
  ])
    .argument("<id>", "the id of the questions, or a unique prefix of at least 4 characters")
    .option(
      "--timeout <time>",
      "maximum time to wait, such as 90s or 5m, or 0 for no limit; the question stays open (default: until it is settled)",
      timeoutFlag,
    )
    .option("--reply <text>", "first reply to a person who asked back; markdown, at most 10,000 characters")
    .option("--json", "print the result in the ask_user tool's format")
    .action(run(wait));

async function wait(context: CommandContext, id: string, flags: WaitFlags): Promise<ExitCode> {
  const [asker, { client, conversation }] = await Promise.all([context.asker(), context.askerInfo()]);
  const begun = context.now();
  const json = flags.json === true;
  const handover = await waitFor(context, asker, id, {
    // Not the project: the waiting process may run in a different folder from the asker.
    asker: { client, conversation },
    reply: flags.reply,
    maxWait: flags.timeout || undefined,
    earlier: wantsEarlier(context, json),
  });
  const { session } = handover;
  const closedAt = session.closedAt ?? Number.POSITIVE_INFINITY;
  const late = session.state === "answered" && session.delivery.deliveredAt === null && closedAt < begun;
  return reportOutcome(context, { ...handover, late }, json);
}

/** An asker needs the full id; the desk, if there is one, expands a prefix. */
async function waitFor(context: CommandContext, asker: Asker, id: string, options: ResumeOptions): Promise<Handover> {
  try {
    return await asker.resume(id, options);
  } catch (error) {
    if (!isAskboxError(error, "SESSION_NOT_FOUND")) throw error;
    const whole = await wholeId(context, id);
    return asker.resume(whole, options).catch((thrown: unknown) => {
      throw isAskboxError(thrown, "SESSION_NOT_FOUND") ? foreign(whole, thrown) : thrown;
    });
  }
}

/** The desk has the session, but it is not this asker's. */
const foreign = (id: string, cause: unknown) =>
  new AskboxError(
    "SESSION_NOT_FOUND",
    `Session ${id} was opened by another client or token, and only that can wait for its answer; see it with \`askbox show ${id}\`.`,
    { cause },
  );

async function wholeId(context: CommandContext, id: string): Promise<string> {
  try {
    return (await (await context.desk()).get(id)).id;
  } catch (error) {
    if (!isAskboxError(error, "FORBIDDEN") && !isAskboxError(error, "UNAUTHORIZED")) throw error;
    throw new AskboxError(
      "SESSION_NOT_FOUND",
      `There is no session ${id} for this token; with a token that can only ask, use the full id.`,
      {
        cause: error,
      },
    );
  }
}
