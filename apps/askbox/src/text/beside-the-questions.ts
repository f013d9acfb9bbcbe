import type { Draft, EarlierAnswer, Question, SessionView } from "@askbox/core";
import { shellWord } from "@askbox/core/clients";
import { commentText, cut, isSkipped, own } from "@askbox/core/questions";
import { ago } from "@askbox/inbox/text";
import { terminalLine, terminalText } from "@askbox/terminal-text";
import { excerpt } from "./excerpt.ts";
import { wrap } from "./layout.ts";
import { answersLine, byWhom } from "./outcome-text.ts";
import type { Paint } from "./paint.ts";
import { shortId } from "./session-names.ts";

interface Layout {
  columns: number;
  now: number;
  paint: Paint;
}

const maxShownLength = 500;

/** A draft, or an answer or a decline that is about to be sent. */
export function draftBlock(session: Pick<SessionView, "questions">, draft: Draft, { columns, now, paint }: Layout): string {
  const written = session.questions.flatMap((question) => {
    const { values = [], customText, skipped, note } = own(draft.fields, question.id) ?? {};
    const labels = values.map((value) => labelOf(question, value));
    const parts = [...labels, ...(customText === undefined ? [] : [customText]), ...(note === undefined ? [] : [`(note: ${note})`])];
    const text = skipped ? "(skipped)" : parts.join(", ");
    return text === ""
      ? []
      : [`  ${cut(terminalLine(question.question), 60, "")}: ${wrap(excerpt(terminalText(text), maxShownLength), columns, 4)}`];
  });
  const { scheduled } = draft;
  const head =
    scheduled === undefined
      ? `Draft saved ${ago(draft.updatedAt, now)} ${byWhom(draft.by)}:`
      : `${scheduled.decline === undefined ? "An answer" : "A decline"} ${byWhom(scheduled.by)} is about to be sent and can still be undone there:`;
  const { reason } = scheduled?.decline ?? {};
  const declined = reason === undefined ? [] : [`  ${excerpt(terminalLine(reason), maxShownLength)}`];
  const answered = () => [`  ${answersLine(session.questions, scheduled?.answers ?? [])}`];
  const lines = scheduled === undefined ? written : scheduled.decline === undefined ? answered() : declined;
  const comment = commentText(draft);
  const said = comment === "" ? [] : [`  Comment: ${excerpt(terminalLine(comment), maxShownLength)}`];
  return [paint("dim", head), ...lines, ...said].join("\n");
}

/** The earlier answer to the same question from this asker, and the command that repeats it. */
export function earlierAnswerBlock(session: SessionView, earlier: EarlierAnswer, { columns, now, paint }: Layout): string {
  const what = `The same question was answered ${ago(earlier.at, now)} ${byWhom(earlier.by)}, but the agent had left: ${answersLine(session.questions, earlier.answers)}`;
  const line = repeatingLine(session, earlier);
  const repeat =
    line === undefined
      ? "It doesn't fit on one command line; answer again."
      : `${paint("dim", "It isn't sent automatically. To repeat it, run:")}\n  ${line}`;
  return `${wrap(what, columns, 0)}\n${repeat}`;
}

/** The command that repeats an earlier answer; undefined if it can't be typed in a shell. */
function repeatingLine(session: Pick<SessionView, "id">, { answers, comment }: EarlierAnswer): string | undefined {
  const flags = answers.flatMap(({ questionId, values, customText, note }) => [
    ...values.map((value) => ["--set", `${questionId}=${value}`]),
    ...(customText === undefined ? [] : [["--other", `${questionId}=${customText}`]]),
    ...(isSkipped({ values, customText }) ? [["--skip", questionId]] : []),
    ...(note === undefined ? [] : [["--note", `${questionId}=${note}`]]),
  ]);
  if (comment !== undefined) flags.push(["--comment", comment]);
  const words = flags.map(([flag = "", value = ""]) => {
    const word = shellWord(value);
    return word === undefined ? undefined : `${flag} ${word}`;
  });
  return words.includes(undefined) ? undefined : `askbox answer ${shortId(session.id)} ${words.join(" ")}`;
}

function labelOf(question: Question, value: string): string {
  return "options" in question ? (question.options.find((option) => option.value === value)?.label ?? value) : value;
}
