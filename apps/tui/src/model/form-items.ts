import type { Question } from "@askbox/core";
import {
  type AnswerFile,
  bytesText,
  imageLines,
  isTyped,
  maxFiles,
  shownImages,
  type TypedQuestion,
  takesOther,
  traitsOf,
} from "@askbox/core/questions";
import { emptyField, type Field, type FormPart, type FormState, optionsInOrder } from "@askbox/inbox";
import type { EditTarget } from "./ui-state.ts";

/** The items that the form's cursor can be on. */
export type Item =
  | { kind: "option"; value: string; label: string; index: number }
  | { kind: "other" }
  | { kind: "text" }
  | { kind: "file"; file: AnswerFile; of: FormPart }
  | { kind: "attach" }
  | { kind: "note" }
  | { kind: "answer"; step: number }
  | { kind: "comment" }
  | { kind: "commentFile" }
  | { kind: "send" };

/** The question of the current step; undefined on the review. */
export function questionOf({ session, step }: FormState): Question | undefined {
  return session.questions[step];
}

/** Whether an option is picked; a grant also with a time of its own, as in `project:1h`. */
export const isPicked = (question: Question, { values }: Field, value: string): boolean =>
  values.includes(value) || (isGrant(question, value) && values.some((picked) => picked.startsWith(`${value}:`)));

/** Whether an option allows an action from now on. */
export const isGrant = (question: Question, value: string): boolean =>
  "grants" in question && question.grants?.some((grant) => grant.value === value) === true;

export const fieldOf = ({ fields }: FormState, question: Question): Field => fields[question.id] ?? emptyField;

/** The maximum number of files of its answer. */
export const maxFilesOf = (question: Question): number => ("maxFiles" in question ? question.maxFiles : undefined) ?? maxFiles;

export const filesOf = ({ fields, files }: FormState, part: FormPart): readonly AnswerFile[] =>
  (part === "comment" ? files : fields[part.questionId]?.files) ?? [];

/** A stored picture of a question or its answer, and what is said about it. */
export interface Picture {
  sha256: string;
  caption: string;
}

/** The pictures that the agent shows with a question, then those that are attached to its answer; without a question, to the comment. */
export function picturesOf(state: FormState, question: Question | undefined): Picture[] {
  const captions = question ? imageLines(question) : [];
  const asked = (question ? shownImages(question) : []).map(({ image: { sha256 } }, at) => ({ sha256, caption: captions[at] ?? "" }));
  const files = filesOf(state, question ? { questionId: question.id } : "comment");
  const attached = files.filter(({ mimeType }) => mimeType.startsWith("image/"));
  return [...asked, ...attached.map(({ sha256, name, size }) => ({ sha256, caption: `Attached: ${name}, ${bytesText(size)}` }))];
}

/** Whether there are pictures to see: the browser is opened for those of the agent only. */
export const hasPictures = (state: FormState, question: Question | undefined, showsPictures: boolean): boolean =>
  (question !== undefined && shownImages(question).length > 0) || (showsPictures && picturesOf(state, question).length > 0);

/** The items of the current step, in screen order. `typing` is the field being edited, which may still be empty. */
export function itemsOf(state: FormState, typing?: EditTarget["kind"]): Item[] {
  const question = questionOf(state);
  const path: Item[] = typing === "commentFile" ? [{ kind: typing }] : [];
  const said: Item[] = [...fileItems(state, "comment"), ...path];
  const comment: Item[] = state.comment !== "" || typing === "comment" || said.length > 0 ? [{ kind: "comment" }, ...said] : [];
  if (question === undefined) {
    const answers = state.session.questions.map((_, step): Item => ({ kind: "answer", step }));
    return [...answers, ...comment, { kind: "send" }];
  }
  const field = fieldOf(state, question);
  const files = fileItems(state, { questionId: question.id });
  const isOffered = traitsOf(question).attached === true && files.length < maxFilesOf(question);
  const attach: Item[] = isOffered || typing === "attach" ? [{ kind: "attach" }] : [];
  const note: Item[] = field.note !== "" || typing === "note" ? [{ kind: "note" }] : [];
  return [...ownItems(question, field), ...files, ...attach, ...note, ...(state.steps === 1 ? comment : [])];
}

const fileItems = (state: FormState, of: FormPart): Item[] => filesOf(state, of).map((file) => ({ kind: "file", file, of }));

function ownItems(question: Question, field: Field): Item[] {
  if (isTyped(question)) return [{ kind: "text" }];
  const options = optionsInOrder(question, field).map(({ value, label }, index): Item => ({ kind: "option", value, label, index }));
  return takesOther(question) ? [...options, { kind: "other" }] : options;
}

/** The question whose answer is being edited, if the edited text is an answer. */
export function typedQuestion(state: FormState | undefined, target: EditTarget | undefined): TypedQuestion | undefined {
  if (target?.kind !== "text") return undefined;
  const question = state?.session.questions.find(({ id }) => id === target.questionId);
  return question !== undefined && isTyped(question) ? question : undefined;
}
