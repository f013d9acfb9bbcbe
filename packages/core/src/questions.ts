export { own } from "./objects.ts";
export type { Phrases } from "./ports/desk.ts";
export { allImages, imageLines, shownImages } from "./session/all-images.ts";
export type { AnswerFile } from "./session/answer.ts";
export { denialKey, denialOf, overruledAt, overruleLasts } from "./session/denial.ts";
export type { AskedImage, Image } from "./session/images.ts";
export { latestWake, reminderLead } from "./session/latest-wake.ts";
export { letByKinds, maxFiles, reaches } from "./session/questions/constants.ts";
export {
  type ActionPart,
  type AnswerProblem,
  type AnswerProblemCode,
  actionKinds,
  actionLine,
  actionParts,
  answerFromText,
  answerProblem,
  answerText,
  type ChoiceQuestion,
  changedInput,
  checkAnswer,
  type Denial,
  expectedAnswer,
  type FieldFlag,
  type FormValue,
  type GrantScope,
  grantDuration,
  grantDurations,
  grantScopes,
  inputProblem,
  isDenied,
  isSkipped,
  isTyped,
  moveDate,
  type OfferedOption,
  type Option,
  offeredOptions,
  optionsNamed,
  otherArguments,
  type Picks,
  type QuestionTraits,
  type QuestionTypeName,
  questionFields,
  questionFlags,
  questionTypes,
  readGrantValue,
  type TextFormat,
  type TypedQuestion,
  takesOther,
  textFormats,
  tidyAnswer,
  traitsOf,
  type UnknownQuestion,
  type Widget,
} from "./session/questions/index.ts";
export { decimalOf } from "./session/questions/number.ts";
export { searchedText, searchWords } from "./session/search-text.ts";
export { aboutNumber, commentText, isReply, messageText, replyCount } from "./session/thread.ts";
export { bytesText, cut } from "./texts.ts";
