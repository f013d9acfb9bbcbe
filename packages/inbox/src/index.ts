export type { Forms } from "./askbox.ts";
export { type Askbox, type AskboxOptions, createAskbox } from "./askbox.ts";
export { clockDuration, coarseDuration, type DurationPart, type DurationUnit, nearest } from "./durations.ts";
export { ActionLook, Typing, type Unread, unreadIn } from "./form/action-look.ts";
export { AnswerForm, type AnswerFormOptions } from "./form/answer-form.ts";
export type { UnsavedDraft, UnsavedDrafts } from "./form/draft-keeper.ts";
export type { FormAction, FormFailure, FormLayout, FormMode, FormPart, FormPhase, FormProgress, FormState } from "./form/editable-form.ts";
export { answerOf, dateToStepFrom, emptyField, errorOf, type Field, isAnswered } from "./form/field.ts";
export { type FieldEdit, fieldAfter, optionsInOrder, proposedValues, takesFiles } from "./form/field-edits.ts";
export { Attendance } from "./list/attendance.ts";
export type { ConnectionState, Inbox, InboxState } from "./list/inbox.ts";
export {
  agentHasLeft,
  filterSessions,
  folderName,
  isPlainAsk,
  questionLine,
  type SessionFilter,
  type SortOrder,
  sessionTitle,
  sortSessions,
  splitByPresence,
} from "./list/selectors.ts";
export { createStore, type Store, type WritableStore } from "./store.ts";
