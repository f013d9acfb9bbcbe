import { type Asker, type AskerInfo, askResult, earlierResult, type SessionRecord } from "@askbox/core";
import type { CommandContext } from "../context.ts";
import { type ExitCode, exitCodeOfOutcome, exitCodes } from "../exit-codes.ts";
import { writeJson } from "../json-output.ts";
import { answersText, earlierText, remarks } from "../text/result-text.ts";

export interface ReportOptions {
  asker: Asker;
  info: AskerInfo;
  /** The answer was there before anybody waited for it. */
  late: boolean;
  json: boolean;
}

/**
 * Prints how a session ended, for `askbox ask` and `askbox wait`: answers on stdout, all else on stderr; with `json` the tool's result. What was
 * printed is marked delivered. A session that is still pending is a ticket.
 */
export async function reportOutcome(context: CommandContext, session: SessionRecord, options: ReportOptions): Promise<ExitCode> {
  const { io } = context;
  const { asker, info, late, json } = options;
  // Into a shell variable go only the answers that were asked for; others come up where somebody reads them.
  const wantsEarlier = json || io.stderr.isTerminal;
  // An answer in hand is worth more than what comes along with it: that stays for the next ask.
  const told = wantsEarlier ? await asker.earlier(info).catch(() => []) : [];
  const earlier = told.filter(({ id }) => id !== session.id);
  if (json) {
    await writeJson(io.stdout, askResult(session, { late, earlier: earlier.map(earlierResult) }));
  } else {
    const answers = answersText(session, { exact: !io.stdout.isTerminal });
    if (answers !== "") await io.stdout.write(answers);
    // A reply after the deadline stands beside the outcome, as it does in the tool's result.
    const beside = session.reply === undefined ? earlier : [session, ...earlier];
    const notes = [...remarks(session, late), ...beside.map((one) => earlierText(earlierResult(one)))];
    if (notes.length > 0) await io.stderr.write(`${notes.join("\n")}\n`);
  }
  const settled = session.state === "pending" ? earlier : [session, ...earlier];
  await recordDelivery(context, asker, settled);
  const { outcome } = session.context;
  return outcome === undefined ? exitCodes.timedOut : exitCodeOfOutcome(outcome.kind);
}

/** The answer is out by now, so a failure to say so is no failure of the ask. */
async function recordDelivery({ io }: CommandContext, asker: Asker, sessions: readonly SessionRecord[]): Promise<void> {
  const told = await Promise.allSettled(sessions.map(({ id }) => asker.delivered(id)));
  if (told.every(({ status }) => status === "fulfilled")) return;
  await io.stderr.write("The hub could not be told that the answer has come; an equal question may bring it again.\n");
}
