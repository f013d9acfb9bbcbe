export { moveDate } from "./calendar.ts";
export { answerProblem, type CheckedAnswers, checkAnswer, checkAnswers, tidyAnswer } from "./check-answers.ts";
export type { ConfirmQuestion } from "./confirm.ts";
export type { DateQuestion } from "./date.ts";
export { questionFlags } from "./flags.ts";
export type { MultiSelectQuestion } from "./multi-select.ts";
export type { NumberQuestion } from "./number.ts";
export type { ChoiceQuestion, Option } from "./options.ts";
export {
  type AnswerIssue,
  type AnswerProblem,
  type AnswerProblemCode,
  type FieldFlag,
  type FormValue,
  isSkipped,
  type OfferedOption,
  type Picks,
  QuestionRefusal,
  type QuestionTraits,
  type Widget,
} from "./question-type.ts";
export type { RatingQuestion } from "./rating.ts";
export type { SelectQuestion } from "./select.ts";
export type { TextQuestion } from "./text.ts";
export { type TextFormat, textFormats } from "./text-format.ts";
export { answerText, expectedAnswer, isTyped, offeredOptions, type TypedQuestion, takesOther, traitsOf } from "./traits.ts";
export { typeNamed } from "./type-names.ts";
export {
  parseQuestion,
  type Question,
  type QuestionInput,
  type QuestionTypeName,
  questionFields,
  questionInputSchema,
  questionSchema,
  questionTypes,
} from "./types.ts";
export type { UnknownQuestion } from "./unknown.ts";
