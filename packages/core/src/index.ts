export { type Broker, type BrokerOptions, type BrokerStats, createBroker } from "./broker/broker.ts";
export { AskboxError, type ErrorCode, type ErrorShape, errorCodes, isAskboxError, type MendedBy, toAskboxError } from "./errors.ts";
export type { Asker, Opened, OpenOptions, WaitOptions } from "./ports/asker.ts";
export type { CancelTimer, Clock } from "./ports/clock.ts";
export type { Desk, DeskEvent, DeskPage, DeskQuery, Watch, WatchFilter } from "./ports/desk.ts";
export type { Digest } from "./ports/digest.ts";
export { createIds, type Ids, type RandomSource } from "./ports/ids.ts";
export { type Log, type LogLevel, silentLog } from "./ports/logger.ts";
export { type Platform, type StandardGlobals, standardPlatform } from "./ports/platform.ts";
export type { Signal } from "./ports/signal.ts";
export type { Durability, InsertResult, SessionStore, StoreChange, StorePage, StoreQuery } from "./ports/store.ts";
export { type Actor, type Answerer, actorSchema, answererSchema, type Surface, surfaceSchema, surfaces } from "./session/actor.ts";
export { type Answer, type AnswerIssue, type AnswerSet, answerSchema, answerSetSchema } from "./session/answer.ts";
export { type AskInput, askInputSchema, type QuestionInput, questionInputSchema } from "./session/ask-input.ts";
export { type AskResult, askResult, askResultSchema, type EarlierResult, earlierResult } from "./session/ask-result.ts";
export { type AskerInfo, askerInfoSchema } from "./session/asker-info.ts";
export { type Draft, type DraftField, type DraftPatch, draftPatchSchema, draftSchema } from "./session/draft.ts";
export { limits } from "./session/limits.ts";
export { can, type MachineContext, type MachineSnapshot, openMachine, type SessionEvent, step } from "./session/machine.ts";
export { type Outcome, outcomeSchema } from "./session/outcome.ts";
export { parseAsk, refusals } from "./session/parse-ask.ts";
export {
  answerText,
  type ChoiceQuestion,
  type ConfirmQuestion,
  checkAnswer,
  checkAnswers,
  isSkipped,
  type MultiSelectQuestion,
  type Option,
  type Question,
  type QuestionTypeName,
  questionSchema,
  questionTypes,
  type SelectQuestion,
  type TextQuestion,
} from "./session/questions/index.ts";
export {
  type AskRequest,
  askRequestSchema,
  type EarlierAnswer,
  type Reply,
  readRecord,
  recordSchemaVersion,
  type SessionRecord,
  type SessionState,
  sessionRecordSchema,
  sessionStates,
} from "./session/record.ts";
export {
  type Presence,
  type ScheduledAnswer,
  type SessionView,
  type Status,
  sessionViewSchema,
  stateOf,
  statuses,
  statusOf,
  statusSchema,
} from "./session/view.ts";
export { type ChangeFeed, createChangeFeed } from "./stores/change-feed.ts";
export { memoryStore } from "./stores/memory.ts";
export { isUndelivered, type PagePosition, pageCursor, pageLimit, readCursor, searchText } from "./stores/query.ts";
