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
  const others = wantsEarlier ? (await asker.earlier(info)).filter(({ id }) => id !== session.id) : [];
  // A reply after the deadline stands beside the outcome, as it would in a later call's result.
  const earlier = session.reply === undefined ? others : [session, ...others];
  if (json) {
    await writeJson(io.stdout, askResult(session, { late, earlier: earlier.map(earlierResult) }));
  } else {
    const answers = answersText(session);
    if (answers !== "") await io.stdout.write(answers);
    const notes = [...remarks(session, late), ...earlier.map((one) => earlierText(earlierResult(one)))];
    if (notes.length > 0) await io.stderr.write(`${notes.join("\n")}\n`);
  }
  const settled = session.state === "pending" ? earlier : [session, ...earlier];
  await Promise.all(settled.map(({ id }) => asker.delivered(id)));
  const { outcome } = session.context;
  return outcome === undefined ? exitCodes.timedOut : exitCodeOfOutcome(outcome.kind);
}
