import type { Actor, Answer, Question, SessionView } from "@askbox/core";
import { answerText, cut } from "@askbox/core/questions";
import { describeOutcome, type Ending } from "@askbox/inbox/describe";
import { actorText, ago, deliveryText, outcomeText } from "@askbox/inbox/text";
import { terminalLine, terminalText } from "@askbox/terminal-text";

/** Longer answers are cut for display; `--json` has them whole. */
const maxShownLength = 4_000;

/** An answer for display, sanitised. */
export function shownAnswer(question: Question, answer: Answer): string {
  return excerpt(terminalText(answerText(question, answer)), maxShownLength) || "(skipped)";
}

/** All answers on one line, for sentences. */
export function answersLine(questions: readonly Question[], answers: readonly Answer[]): string {
  return answers
    .flatMap((answer) => {
      const question = questions.find(({ id }) => id === answer.questionId);
      return question === undefined ? [] : [excerpt(terminalLine(shownAnswer(question, answer)), 200)];
    })
    .join("; ");
}

/** Who, and where: `by Ada in the browser`. */
export const byWhom = (by: Actor): string => actorText(by, terminalLine);

/** The endings that leave only words to tell: why. */
const saysAll: ReadonlySet<Ending> = new Set(["allowed", "denied", "approved", "kept", "overruled", "agreed", "declined", "withdrawn"]);

/** How a settled session ended: by whom, where, when, and with what. Undefined while it is pending. */
export function outcomeSentence(session: SessionView, now: number): string | undefined {
  if (session.outcome === undefined) return undefined;
  const outcome = describeOutcome(session);
  const { ending, at = now, words } = outcome;
  const answers = session.reply?.answers ?? (session.outcome.kind === "answered" ? session.outcome.answers : []);
  const said = saysAll.has(ending) ? excerpt(terminalLine(words ?? ""), 200) : answersLine(session.questions, answers);
  const unseen = ending === "timed_out" ? `; ${session.seenAt === undefined ? "nobody had seen it" : "somebody had seen it"}` : "";
  const delivery = ending === "replied" || session.waking !== undefined ? deliveryText(session, terminalLine) : undefined;
  const handed = delivery === undefined ? "" : `. ${delivery}`;
  return `${outcomeText(outcome, terminalLine)}, ${ago(at, now)}${unseen}${said === "" ? "" : `: ${said}`}${handed}`;
}

/** Cuts text to `length` characters and says how many are missing. */
export function excerpt(text: string, length: number): string {
  if (text.length <= length) return text;
  const kept = cut(text, length, "");
  return `${kept}… (${(text.length - kept.length).toLocaleString("en")} more characters)`;
}
