import { defined, own } from "../objects.ts";
import type { AnswerSet } from "../session/answer.ts";
import type { Question } from "../session/questions/index.ts";
import { isSkipped, traitsOf } from "../session/questions/index.ts";
import { answered, answerSet, type Given, givenFromWords, uniqueKeys, wordsOf } from "./chosen.ts";

/** One answer of VS Code's `vscode_askQuestions`. The note is askbox's own. */
export interface VsCodeAnswer {
  selected: string[];
  freeText: string | null;
  skipped: boolean;
  note?: string;
}

/** The answer of VS Code's `vscode_askQuestions`, by the question's header (see `vsCodeKeys`). The comment is askbox's own. */
export interface VsCodeAnswers {
  answers: Record<string, VsCodeAnswer>;
  comment?: string;
}

/** The questions' headers, or texts if they have none, as the keys of their answers. A repeated one gets the suffix ` (2)`. */
export const vsCodeKeys = (questions: readonly Pick<Question, "question" | "header">[]): string[] =>
  uniqueKeys(questions.map(({ header, question }) => header ?? question));

/** Answers in the format of VS Code. */
export function answersAsVsCode(questions: readonly Question[], set: AnswerSet): VsCodeAnswers {
  const keys = vsCodeKeys(questions);
  const rows = answered(questions, set).map(({ question, answer }, index): [string, VsCodeAnswer] => {
    const isPicked = hasChoices(question);
    const freeText = isPicked ? answer.customText : answer.values[0];
    return [
      keys[index] ?? question.id,
      {
        selected: isPicked ? wordsOf(question, { values: answer.values }) : [],
        freeText: freeText ?? null,
        skipped: isSkipped(answer) && !answer.files?.length,
        ...defined({ note: answer.note }),
      },
    ];
  });
  return { answers: Object.fromEntries(rows), ...defined({ comment: set.comment }) };
}

/** Reads answers in the format of VS Code. */
export function answersFromVsCode(questions: readonly Question[], { answers, comment }: VsCodeAnswers): AnswerSet {
  const keys = vsCodeKeys(questions);
  return answerSet(
    questions,
    (question, index) => {
      const answer = own(answers, keys[index] ?? question.id);
      if (answer === undefined || answer.skipped) return { values: [], note: answer?.note };
      return { ...givenOf(question, answer), note: answer.note };
    },
    comment,
  );
}

/** Whether VS Code would offer choices for it; the steps of a scale are a value there. */
function hasChoices(question: Question): boolean {
  const { picks, formField } = traitsOf(question);
  return picks !== undefined && formField === undefined;
}

function givenOf(question: Question, { selected, freeText }: VsCodeAnswer): Given {
  if (!hasChoices(question)) return { values: freeText === null ? selected : [freeText] };
  const { values, customText } = givenFromWords(question, selected);
  const own = [customText, freeText].filter((text) => text !== undefined && text !== null);
  return own.length === 0 ? { values } : { values, customText: own.join(", ") };
}
