export type { Broker, BrokerOptions, BrokerStats } from "./broker/broker.ts";
export { createBroker } from "./broker/runner.ts";
export { AskboxError, type ErrorCode, type ErrorShape, errorCodes, isAskboxError, type MendedBy, toAskboxError } from "./errors.ts";
export type { Agents, RegisteredAgent } from "./ports/agents.ts";
export type { Asker, AskOptions, Claimed, Handover, Opened, ResumeOptions, WaitOptions } from "./ports/asker.ts";
export type { Desk, DeskEvent, DeskPage, DeskQuery, Idempotent, Watch, WatchFilter } from "./ports/desk.ts";
export { deskEvents } from "./ports/desk.ts";
export type { Grant, Grants } from "./ports/grants.ts";
export type { CancelTimer, Clock, Digest, Signal } from "./ports/platform.ts";
export {
  createIds,
  type Ids,
  type Log,
  type LogLevel,
  type Platform,
  type RandomSource,
  type StandardGlobals,
  silentLog,
  standardPlatform,
} from "./ports/platform.ts";
export type { SharedState } from "./ports/shared.ts";
export type { SessionStore, Tally } from "./ports/store.ts";
export type { Answer, AnswerSet } from "./session/answer.ts";
export type { AskInput } from "./session/ask-input.ts";
export { type AskResult, askResult, type EarlierResult, earlierResult } from "./session/ask-result.ts";
export type { AskerInfo } from "./session/asker-info.ts";
export type { Draft, DraftField, DraftPatch } from "./session/draft.ts";
export { limits } from "./session/limits.ts";
export type { Outcome } from "./session/outcome.ts";
export { type Actor, type Answerer, type Surface, surfaces } from "./session/outcome.ts";
export { type ParseAskOptions, parseAsk } from "./session/parse-ask.ts";
export {
  type Action,
  type AnswerIssue,
  checkAnswers,
  type Question,
  type QuestionInput,
  type QuestionOf,
} from "./session/questions/index.ts";
export type { AskRequest, EarlierAnswer, Reply, SessionRecord, SessionState } from "./session/record.ts";
export { type AskBack, askedBack, type ThreadMessage } from "./session/thread.ts";
export type { Presence, ScheduledAnswer, SessionView, Status } from "./session/view.ts";
export { memoryStore } from "./stores/memory.ts";
export {
  approval,
  ask,
  askForEnding,
  confirm,
  date,
  type Ending,
  multiSelect,
  number,
  programReply,
  type QuestionFor,
  ranking,
  rating,
  select,
  type TypedAskOptions,
  text,
  type Values,
} from "./typed-ask.ts";
