export { otherArguments } from "./action.ts";
export { type ActionPart, actionLine, actionParts } from "./action-parts.ts";
export { answerFromText, optionsNamed } from "./answer-from-text.ts";
export { moveDate } from "./calendar.ts";
export { changedInput, inputProblem } from "./changed-input.ts";
export { answerProblem, checkAnswer, checkAnswers, tidyAnswer } from "./check-answers.ts";
export { actionKinds, type TextFormat, textFormats } from "./constants.ts";
export { isDenied } from "./denied.ts";
export { type FieldFlag, questionFlags } from "./flags.ts";
export { type GrantScope, grantDuration, grantDurations, grantScopes, readGrantValue } from "./grant-value.ts";
export {
  type AnswerIssue,
  type AnswerProblem,
  type AnswerProblemCode,
  type FormValue,
  isSkipped,
  type OfferedOption,
  type Picks,
  QuestionRefusal,
} from "./question-type.ts";
export {
  type Action,
  type ChoiceQuestion,
  type Option,
  type Question,
  type QuestionInput,
  type QuestionOf,
  type QuestionTypeName,
  questionFields,
  type UnknownQuestion,
} from "./schemas.ts";
export {
  answerText,
  expectedAnswer,
  isTyped,
  offeredOptions,
  type QuestionTraits,
  type TypedQuestion,
  takesOther,
  traitsOf,
  type Widget,
} from "./traits.ts";
export { typeNamed } from "./type-names.ts";
export { parseQuestion, questionTypes } from "./types.ts";
