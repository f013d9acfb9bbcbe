export { type Askbox, type AskboxOptions, createAskbox } from "./askbox.ts";
export { clockDuration, coarseDuration, type DurationPart, type DurationUnit } from "./durations.ts";
export { ActionLook, Typing, type Unread, unreadIn } from "./form/action-look.ts";
export { AnswerForm, type AnswerFormOptions } from "./form/answer-form.ts";
export { dateToStepFrom } from "./form/date-steps.ts";
export type { UnsavedDraft, UnsavedDrafts } from "./form/draft-keeper.ts";
export type { FormPart } from "./form/editable-form.ts";
export { answerOf, emptyField, errorOf, type Field, isAnswered } from "./form/field.ts";
export { type FieldEdit, fieldAfter, optionsInOrder, proposedValues } from "./form/field-edits.ts";
export type { FormAction, FormFailure, FormLayout, FormMode, FormPhase, FormProgress, FormState } from "./form/form-state.ts";
export type { Forms } from "./form/forms.ts";
export { AskboxContext, useAskbox } from "./hooks/askbox-context.ts";
export { AskboxProvider } from "./hooks/askbox-provider.ts";
export { useAnswerForm } from "./hooks/use-answer-form.ts";
export { useInbox } from "./hooks/use-inbox.ts";
export { type Countdown, useCountdown, useNow, useTimed } from "./hooks/use-now.ts";
export { type SessionLookup, useSession } from "./hooks/use-session.ts";
export { Attendance } from "./inbox/attendance.ts";
export { equalApprovals } from "./inbox/equal-approvals.ts";
export type { ConnectionState, Inbox, InboxState } from "./inbox/inbox.ts";
export { folderName, isPlainAsk, questionLine, sessionTitle } from "./inbox/names.ts";
export {
  agentHasLeft,
  filterSessions,
  groupByProject,
  type ProjectGroup,
  type SessionFilter,
  type SortOrder,
  sortSessions,
  splitByPresence,
} from "./inbox/selectors.ts";
export { createStore, type Store, type WritableStore } from "./store.ts";
