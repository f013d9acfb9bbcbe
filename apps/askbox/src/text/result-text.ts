import { type Answer, askedBack, type EarlierResult, type SessionRecord } from "@askbox/core";
import { answerText, commentText, messageText } from "@askbox/core/questions";
import { actorSchema } from "@askbox/core/schemas";
import { describeOutcome } from "@askbox/inbox/describe";
import { outcomeText } from "@askbox/inbox/text";
import { terminalLine, terminalText } from "@askbox/terminal-text";
import { byWhom } from "./outcome-text.ts";
import { shortId } from "./session-names.ts";

/**
 * A settled session as the asker sees it on a terminal or captures it in a shell variable. A single question prints only its answer,
 * one line per value, `exact` if a program reads it and no terminal can be harmed; several questions print a line each.
 */
export function answersText(session: SessionRecord, { exact }: { exact: boolean }): string {
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
export function remarks(session: SessionRecord, late: boolean): string[] {
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
export function earlierText(earlier: EarlierResult): string {
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
