import { type Answer, askedBack, askResult, type EarlierResult, earlierResult, type Handover, type SessionRecord } from "@askbox/core";
import { answerText, commentText, messageText } from "@askbox/core/questions";
import { actorSchema } from "@askbox/core/schemas";
import { describeOutcome } from "@askbox/inbox/describe";
import { outcomeText } from "@askbox/inbox/text";
import { terminalLine, terminalText } from "@askbox/terminal-text";
import type { CommandContext } from "./context.ts";
import { type ExitCode, exitCodeOfOutcome, exitCodes } from "./exit-codes.ts";
import { writeJson } from "./json-output.ts";
import { byWhom } from "./text/outcome-text.ts";
import { shortId } from "./text/session-names.ts";

/*
 * How `askbox ask` and `askbox wait` end: the answers on stdout, everything else on stderr, or the tool's result as JSON. What was printed
 * counts as delivered; if the hub can't be told so, the same answer may come again.
 */

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

/**
 * A settled session as the asker sees it on a terminal or captures it in a shell variable. A single question prints only its answer,
 * one line per value, `exact` if a program reads it and no terminal can be harmed; several questions print a line each.
 */
function answersText(session: SessionRecord, { exact }: { exact: boolean }): string {
  const outcome = session.context.outcome;
  if (outcome?.kind !== "answered") return "";
  const [only, ...more] = session.request.questions;
  const [answer] = outcome.answers;
  if (only !== undefined && answer !== undefined && more.length === 0) {
    return exact
      ? valuesOf(answer)
          .map((value) => `${value}\n`)
          .join("")
      : lines(valuesOf(answer));
  }
  return lines(
    session.request.questions.flatMap((question) => {
      const reply = outcome.answers.find(({ questionId }) => questionId === question.id);
      return reply === undefined ? [] : [`${terminalLine(question.question)}: ${answerText(question, reply) || "(skipped)"}`];
    }),
  );
}

/** Remarks for the asker besides the answers, one sentence each. */
function remarks(session: SessionRecord, late: boolean): string[] {
  const asked = askedBack(session).map(
    (message) => `${message.unasked ? "Message" : "Asked back"} ${byWhom(message.by)}: ${terminalText(messageText(message))}`,
  );
  if (session.state === "pending" && asked.length > 0) {
    return [...asked, `Nothing has been answered yet; to reply and keep waiting, run \`askbox wait ${shortId(session.id)} --reply TEXT\`.`];
  }
  return [...outcomeRemarks(session, late), ...asked];
}

function outcomeRemarks(session: SessionRecord, late: boolean): string[] {
  const outcome = session.context.outcome;
  const ended = outcomeText(describeOutcome({ questions: session.request.questions, outcome }), terminalLine);
  switch (outcome?.kind) {
    case undefined:
      return [`Still pending; to keep waiting, run \`askbox wait ${shortId(session.id)}\`.`];
    case "answered":
      return [
        ...(late ? ["This was answered after the last call had ended."] : []),
        ...outcome.answers.flatMap(({ note }) => (note === undefined ? [] : [`Note: ${terminalText(note)}`])),
        ...commentLine(outcome),
      ];
    case "cancelled":
      return [`${ended}${outcome.reason === undefined ? "" : `: ${terminalText(outcome.reason)}`}.`];
    case "timedOut":
      return [`${ended}; ${session.seenAt === undefined ? "nobody had seen the question" : "somebody had seen the question"}.`];
  }
}

const commentLine = (set: Parameters<typeof commentText>[0]): string[] => {
  const text = terminalText(commentText(set));
  return text === "" ? [] : [`Comment: ${text}`];
};

/** An outcome that arrived too late for its own call: what was asked, how it ended and by whom, one line per answer. */
function earlierText(earlier: EarlierResult): string {
  const { title, questions, answers, answeredBy, sessionId, messages = [], received } = earlier;
  const written = messages.map(({ text }) => `Message from a person: ${terminalText(text)}`);
  if (received) return written.join("\n");
  const name = terminalLine(title ?? questions[0]?.question ?? "");
  const id = sessionId === undefined ? "" : ` (${shortId(sessionId)})`;
  const by = answeredBy === undefined ? "" : ` ${byWhom(actorSchema.parse(answeredBy))}`;
  const texts = questions.flatMap((question) => {
    const answer = answers.find(({ questionId }) => questionId === question.id);
    if (answer === undefined) return [];
    const text = terminalLine(valuesOf(answer).join(", ")) || "(skipped)";
    return [`  ${questions.length === 1 && title === undefined ? "" : `${terminalLine(question.question)}: `}${text}`];
  });
  const asked = (earlier.askedBack ?? []).map((one) => `  Asked back: ${terminalText(messageText(one)).replaceAll("\n", "\n  ")}`);
  const notes = [...asked, ...commentLine(earlier).map((line) => `  ${line.replaceAll("\n", "\n  ")}`)];
  return [...written, `Earlier question "${name}"${id}, ${endingOf(earlier)}${by}`, ...texts, ...notes].join("\n");
}

function endingOf({ answered, cancelled, pending, repliedAfterTimeout, reason }: EarlierResult): string {
  if (pending) return "not answered yet";
  if (repliedAfterTimeout) return "replied to after its deadline";
  if (answered) return "answered";
  if (cancelled) return `declined${reason === undefined ? "" : ` ("${terminalLine(reason)}")`}`;
  return "not answered in time";
}

function valuesOf({ values, customText }: Answer): string[] {
  return customText === undefined ? values : [...values, customText];
}

function lines(texts: readonly string[]): string {
  return texts.map((text) => `${terminalText(text)}\n`).join("");
}
