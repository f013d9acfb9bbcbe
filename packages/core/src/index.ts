export type { Broker, BrokerOptions, BrokerStats } from "./broker/broker.ts";
export type { Peer } from "./broker/peers.ts";
export { createBroker } from "./broker/runner.ts";
export { AskboxError, type ErrorCode, type ErrorShape, errorCodes, isAskboxError, type MendedBy, toAskboxError } from "./errors.ts";
export { actionDigest, matchingGrant } from "./grants/matching.ts";
export { beginsWith, wordsOfPlainCommand } from "./grants/plain-command.ts";
export { type GrantWish, grantWishSchema, prefixGrant } from "./grants/prefix-grant.ts";
export { type Agents, type RegisteredAgent, registeredAgentSchema } from "./ports/agents.ts";
export {
  type AckOptions,
  type Asker,
  type AskOptions,
  type Collected,
  collected,
  type Given,
  type Handover,
  type Opened,
  type RelayedAsker,
  type ResumeOptions,
  type WaitOptions,
} from "./ports/asker.ts";
export type { Claimed } from "./ports/claimed.ts";
export type { ClientForms } from "./ports/client-forms.ts";
export type { CancelTimer, Clock } from "./ports/clock.ts";
export type { Desk, DeskEvent, DeskPage, DeskQuery, Idempotent, Watch, WatchFilter } from "./ports/desk.ts";
export type { Digest } from "./ports/digest.ts";
export { type Grant, type Grants, grantSchema } from "./ports/grants.ts";
export { createIds, type Ids, type RandomSource } from "./ports/ids.ts";
export { type Log, type LogLevel, silentLog } from "./ports/logger.ts";
export { type Platform, type StandardGlobals, standardPlatform } from "./ports/platform.ts";
export type { SharedState } from "./ports/shared.ts";
export type { Signal } from "./ports/signal.ts";
export type {
  Durability,
  InsertResult,
  RemoveFilter,
  ReplaceOptions,
  SessionStore,
  StoreChange,
  StorePage,
  StoreQuery,
} from "./ports/store.ts";
export { quote } from "./quote.ts";
export { type Actor, type Answerer, actorSchema, answererSchema, type Surface, surfaceSchema, surfaces } from "./session/actor.ts";
export { type Answer, type AnswerSet, answerSchema, answerSetSchema } from "./session/answer.ts";
export { type AskInput, askInputSchema } from "./session/ask-input.ts";
export { type AskResult, askResult, askResultSchema, type EarlierResult, earlierResult } from "./session/ask-result.ts";
export { type AskerInfo, askerInfoSchema, storedAskerSchema } from "./session/asker-info.ts";
export { type Draft, type DraftField, type DraftPatch, draftPatchSchema, draftSchema } from "./session/draft.ts";
export { issueClause, issuePath } from "./session/issue-text.ts";
export { isTooManyValues } from "./session/json-weight.ts";
export { limits } from "./session/limits.ts";
export { can, type MachineContext, type MachineSnapshot, openMachine, type SessionEvent, type Stepped, step } from "./session/machine.ts";
export { type Outcome, outcomeSchema } from "./session/outcome.ts";
export { type ParseAskOptions, parseAsk } from "./session/parse-ask.ts";
export { decimalOf } from "./session/questions/decimal.ts";
export {
  type Action,
  type ActionPart,
  type AnswerIssue,
  type AnswerProblem,
  type AnswerProblemCode,
  actionKinds,
  actionParts,
  answerProblem,
  answerText,
  type ChoiceQuestion,
  checkAnswer,
  checkAnswers,
  expectedAnswer,
  type FieldFlag,
  type FormValue,
  type GrantScope,
  grantDuration,
  grantDurations,
  grantScopes,
  isSkipped,
  isTyped,
  moveDate,
  type OfferedOption,
  type Option,
  offeredOptions,
  otherArguments,
  type Picks,
  type Question,
  type QuestionInput,
  type QuestionOf,
  type QuestionTraits,
  type QuestionTypeName,
  questionFields,
  questionFlags,
  questionInputSchema,
  questionSchema,
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
export { refusals } from "./session/refusals.ts";
export { type AskBack, askBackSchema, askedBack, isReply, type ThreadMessage, threadMessageSchema } from "./session/thread.ts";
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
export { keptGrants, memoryGrants } from "./stores/kept-grants.ts";
export { type KeptList, memoryList } from "./stores/kept-list.ts";
export { memoryStore } from "./stores/memory.ts";
export { checkAgent, keptAgents, memoryAgents } from "./stores/memory-agents.ts";
export {
  isRemovable,
  isUndelivered,
  isUnseenWithdrawal,
  type PagePosition,
  pageCursor,
  pageLimit,
  readCursor,
  removalTimes,
  searchText,
} from "./stores/query.ts";
export { sharedMemory } from "./stores/shared-memory.ts";
export { ask, askForEnding, type Ending, programReply, type TypedAskOptions } from "./typed/ask.ts";
export { confirm, date, type Field, multiSelect, number, ranking, rating, select, text, type Values } from "./typed/field.ts";
