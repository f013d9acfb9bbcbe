import { askResult, earlierResult, type Handover } from "@askbox/core";
import type { CommandContext } from "../context.ts";
import { type ExitCode, exitCodeOfOutcome, exitCodes } from "../exit-codes.ts";
import { writeJson } from "../json-output.ts";
import { answersText, earlierText, remarks } from "../text/result-text.ts";

/** Into a shell variable go only the answers that were asked for; others come up where somebody reads them. */
export const wantsEarlier = ({ io }: CommandContext, json: boolean): boolean => json || io.stderr.isTerminal;

/**
 * Prints how a session ended, for `askbox ask` and `askbox wait`: answers on stdout, all else on stderr; with `json` the tool's result. What was
 * printed is marked delivered. A session that is still pending is a ticket.
 */
export async function reportOutcome(context: CommandContext, handover: Handover, json: boolean): Promise<ExitCode> {
  const { io } = context;
  const { session, late, earlier } = handover;
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
  try {
    await handover.ack();
  } catch {
    // The answer is out by now, so a failure to say so is no failure of the ask.
    await io.stderr.write("Could not confirm to the hub that the answer arrived; asking the same question may return it again.\n");
  }
  const { outcome } = session.context;
  return outcome === undefined ? exitCodes.timedOut : exitCodeOfOutcome(outcome.kind);
}
