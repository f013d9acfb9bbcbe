export { type ActionPart, actionLine, actionParts, otherArguments } from "./action.ts";
export {
  answerFromText,
  answerProblem,
  changedInput,
  checkAnswer,
  checkAnswers,
  inputProblem,
  isDenied,
  optionsNamed,
  tidyAnswer,
} from "./answers.ts";
export { actionKinds, type TextFormat, textFormats } from "./constants.ts";
export { moveDate } from "./date.ts";
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
  type Denial,
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
export { parseQuestion, questionTypes, typeNamed } from "./types.ts";
