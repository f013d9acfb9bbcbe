import type { Actor, Answer, SessionView } from "@askbox/core";
import { answerText, cut, type QuestionTraits, traitsOf } from "@askbox/core/questions";
import { outcomeTextOf } from "@askbox/inbox/text";
import { plainLine } from "@askbox/terminal-text";
import { inert } from "./plain.ts";

export const otherMessage = "This button belongs to another message.";
export const noQuestion = "This question is no longer there.";

/** How a session ended, with a full stop. */
export const endingOf = (session: SessionView): string => `${outcomeTextOf(session, inert)}.`;

/** What a person is told whose answer came too late; of their own, only how it ended. */
export function tooLate(session: SessionView, me: Actor): string {
  const by = session.outcome?.by;
  const ending = endingOf(session);
  if (by?.surface === me.surface && by.name === me.name) return ending;
  return `Your answer came too late: ${ending.charAt(0).toLowerCase()}${ending.slice(1)}`;
}

/** A line for each answer; of a set, with its question's number. */
export function answerLines({ questions }: Pick<SessionView, "questions">, answers: readonly Answer[]): string[] {
  return questions.flatMap((question, index) => {
    const answer = answers.find(({ questionId }) => questionId === question.id);
    const number = questions.length > 1 ? `${index + 1}. ` : "";
    if (answer === undefined) return [];
    // The ending, which stands above, says a single decision; only why is left.
    const isSaid =
      number === "" && "action" in question && ["allow", "deny"].includes(answer.values[0] ?? "") && answer.input === undefined;
    if (isSaid) return answer.customText === undefined ? [] : [inert(answer.customText)];
    const { files = [] } = answer;
    const words = inert(answerText(question, { ...answer, files: undefined })) || (files.length === 0 ? "(skipped)" : "");
    return [number + [words, attachedLine(files)].filter((part) => part !== "").join("; ")];
  });
}

/** `Attached: plan.pdf, photo.jpg`; empty for none. */
export const attachedLine = (files: readonly { name: string }[]): string =>
  files.length === 0 ? "" : `Attached: ${files.map(({ name }) => inert(cut(plainLine(name), 60))).join(", ")}`;

/** What can be done with a question, in one sentence; empty if its buttons say it all. */
export function howTo(question: SessionView["questions"][number], { isListed, takesWords }: { isListed: boolean; takesWords: boolean }) {
  const { attached, picks, typed }: QuestionTraits = traitsOf(question);
  if (picks === "decision") return "";
  if (attached) return "Reply to this message with a file or several.";
  if (typed !== undefined) return "Reply to this message with your answer.";
  if (picks === "order") return "Press them in your order, the best first; or reply with their numbers, such as 2,1,3.";
  const ways = [...(isListed ? [picks === "many" ? "numbers such as 1,3" : "a number"] : []), ...(takesWords ? ["your own words"] : [])];
  return ways.length === 0 ? "" : `Press a button, or reply to this message with ${ways.join(" or ")}.`;
}
