/** Converts between questions and chat messages. */
import type { Answer, AnswerIssue, Question, SessionView } from "@askbox/core";
import { answerText, expectedAnswer, offeredOptions, takesOther, traitsOf } from "@askbox/core/questions";

/** Most chats reject longer messages. */
const maxMessageLength = 4_000;

/** Escapes an agent's text: it must neither notify the whole channel nor contain links with a misleading text. */
export function plain(text: string): string {
  const visible = text.replace(/[\p{Cc}\p{Bidi_Control}]+/gu, " ");
  return visible.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

const message = (lines: readonly string[]) => {
  const text = lines.filter((line) => line !== "").join("\n");
  return text.length > maxMessageLength ? `${text.slice(0, maxMessageLength - 1)}…` : text;
};

/** The first message of a thread: who asks, and the first question. */
export function opening({ asker, title, questions }: SessionView): string {
  const where = asker.project === undefined ? "" : ` in ${plain(asker.project)}`;
  return message([`${plain(asker.client.name)}${where} asks: ${plain(title ?? "")}`, questionText(questions, questions[0])]);
}

/** One question of several, with the possible answers. */
export function questionText(questions: readonly Question[], question: Question | undefined): string {
  if (question === undefined) return "";
  const place = questions.length > 1 ? `${questions.indexOf(question) + 1} of ${questions.length}: ` : "";
  const options = offeredOptions(question).map(
    ({ label, description, recommended }, index) =>
      `${index + 1}. ${plain(label)}${recommended ? " (recommended)" : ""}${description === undefined ? "" : `: ${plain(description)}`}`,
  );
  const own = takesOther(question) ? " Anything else is taken as your own words." : "";
  const skip = question.required ? "" : ' "skip" leaves it out.';
  const how = {
    one: "an option's number or name",
    many: "an option's number or name, several with commas between",
    decision: "the word allow or deny",
    order: "the numbers or names of all options in order, with commas between",
  };
  const { picks } = traitsOf(question);
  const expected = picks === undefined ? expectedAnswer(question) : how[picks];
  return message([
    `${place}${plain(question.question)}`,
    ...options,
    `Reply with ${expected}.${own}${skip} "cancel" turns the agent down.`,
  ]);
}

/** Parses a person's message as an answer. It is not validated here, since askbox does that for every surface. */
export function answerOf(question: Question, text: string): Answer {
  const said = text.trim();
  const offered = offeredOptions(question);
  const named = (word: string) => {
    const isMeant = (name: string) => name.trim().toLowerCase() === word.trim().toLowerCase();
    // Labels are matched before numbers: the option "3" need not be the third.
    return (offered.find(({ value, label }) => isMeant(value) || isMeant(label)) ?? offered[Number(word) - 1])?.value;
  };
  const blank = { questionId: question.id, values: [] };
  if (!question.required && said.toLowerCase() === "skip") return blank;
  if (offered.length === 0) return { ...blank, values: [said] };
  const words = named(said) === undefined && traitsOf(question).picks !== "one" ? said.split(",") : [said];
  const values = words.flatMap((word) => named(word) ?? []);
  const rest = words.filter((word) => named(word) === undefined).join(",");
  if (rest === "") return { ...blank, values };
  return takesOther(question) ? { ...blank, values, customText: rest.trim() } : { ...blank, values: [...values, rest.trim()] };
}

/** How a session ended, and where. */
export function endingText({ outcome, questions }: SessionView): string {
  if (outcome === undefined) return "It is still open.";
  const by = `${outcome.by.name === undefined ? "" : `${plain(outcome.by.name)}, `}${outcome.by.surface}`;
  if (outcome.kind === "timedOut") return "Nobody answered in time.";
  if (outcome.kind === "cancelled") return `It was turned down (${by}). ${plain(outcome.reason ?? "")}`.trim();
  const texts = questions.map((question, index) => {
    const answer = outcome.answers[index];
    return answer === undefined ? "" : answerText(question, answer) || "(skipped)";
  });
  return message([`It was answered (${by}): ${plain(texts.join("; "))}`]);
}

/** The problems of an answer, one sentence each. */
export const issuesText = (issues: readonly AnswerIssue[]): string => message(issues.map(({ message }) => plain(message)));
