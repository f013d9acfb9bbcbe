import { askResult, earlierResult, type Handover } from "@askbox/core";
import type { CommandContext } from "../context.ts";
import { type ExitCode, exitCodeOfOutcome, exitCodes } from "../exit-codes.ts";
import { writeJson } from "../json-output.ts";
import { answersText, earlierText, remarks } from "../text/result-text.ts";

/** A script that captures stdout only gets the answers it asked for; earlier outcomes go where somebody reads them. */
export const wantsEarlier = ({ io }: CommandContext, json: boolean): boolean => json || io.stderr.isTerminal;

/**
 * Prints how a session ended, for `askbox ask` and `askbox wait`: answers on stdout, everything else on stderr; with `json`, the tool's result.
 * Marks what was printed as delivered. A session that is still pending is printed as a ticket.
 */
export async function reportOutcome(context: CommandContext, handover: Handover, json: boolean): Promise<ExitCode> {
  const { io } = context;
  const { session, late, earlier } = handover;
  if (json) {
    await writeJson(io.stdout, askResult(session, { late, earlier: earlier.map(earlierResult) }));
  } else {
    const { exact, isTerminal } = io.stdout;
    const answers = answersText(session, { exact: !isTerminal });
    if (answers !== "") await (isTerminal || exact === undefined ? io.stdout.write(answers) : exact(answers));
    // A reply after the deadline is printed along with the outcome, as in the tool's result.
    const beside = session.reply === undefined ? earlier : [session, ...earlier];
    const notes = [...remarks(session, late), ...beside.map((one) => earlierText(earlierResult(one)))];
    if (notes.length > 0) await io.stderr.write(`${notes.join("\n")}\n`);
  }
  try {
    await handover.ack();
  } catch {
    // The answer is already printed, so a failed acknowledgement doesn't fail the command.
    await io.stderr.write("Could not confirm to the hub that the answer arrived; asking the same question may return it again.\n");
  }
  const { outcome } = session.context;
  return outcome === undefined ? exitCodes.timed_out : exitCodeOfOutcome(outcome.kind);
}
