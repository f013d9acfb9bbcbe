export { answerOf, draftOfField, emptyField, type Field, fieldOfAnswer, fieldOfDraft } from "./field.ts";
export { fieldAfter } from "./field-edits.ts";
