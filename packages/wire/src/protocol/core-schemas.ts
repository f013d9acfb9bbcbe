import type {
  Answerer,
  AnswerSet,
  AskBack,
  AskerInfo,
  Draft,
  DraftPatch,
  Grant,
  RegisteredAgent,
  SessionRecord,
  SessionView,
  Tally,
} from "@askbox/core";
import type { Conversation } from "@askbox/core/clients";
import * as core from "@askbox/core/schemas";
import * as z from "zod";

// The core's schemas by name. Otherwise declarations would spell out a whole session wherever a message contains one: they keep the names
// of interfaces, but not of inferred types.

/** Checks an `Answerer`. */
export interface AnswererSchema extends z.ZodType<Answerer, z.input<typeof core.answererSchema>> {}
export const answererSchema: AnswererSchema = core.answererSchema;

/** Checks an `AnswerSet`. */
export interface AnswerSetSchema extends z.ZodType<AnswerSet, z.input<typeof core.answerSetSchema>> {}
export const answerSetSchema: AnswerSetSchema = core.answerSetSchema;

/** Checks an `AskBack`. */
export interface AskBackSchema extends z.ZodType<AskBack, z.input<typeof core.askBackSchema>> {}
export const askBackSchema: AskBackSchema = core.askBackSchema;

/** Checks an `AskerInfo`. */
export interface AskerInfoSchema extends z.ZodType<AskerInfo, z.input<typeof core.askerInfoSchema>> {}
export const askerInfoSchema: AskerInfoSchema = core.askerInfoSchema;

/** Checks a `Conversation`. */
export interface ConversationSchema extends z.ZodType<Conversation, z.input<typeof core.conversationSchema>> {}
export const conversationSchema: ConversationSchema = core.conversationSchema;

/** Checks a `Draft`. */
export interface DraftSchema extends z.ZodType<Draft, z.input<typeof core.draftSchema>> {}
export const draftSchema: DraftSchema = core.draftSchema;

/** Checks a `DraftPatch`. */
export interface DraftPatchSchema extends z.ZodType<DraftPatch, z.input<typeof core.draftPatchSchema>> {}
export const draftPatchSchema: DraftPatchSchema = core.draftPatchSchema;

/** Checks a `Grant`. */
export interface GrantSchema extends z.ZodType<Grant, z.input<typeof core.grantSchema>> {}
export const grantSchema: GrantSchema = core.grantSchema;

/** Checks a `RegisteredAgent`. */
export interface RegisteredAgentSchema extends z.ZodType<RegisteredAgent, z.input<typeof core.registeredAgentSchema>> {}
export const registeredAgentSchema: RegisteredAgentSchema = core.registeredAgentSchema;

/** Checks a `SessionRecord`. */
export interface SessionRecordSchema extends z.ZodType<SessionRecord, z.input<typeof core.sessionRecordSchema>> {}
export const sessionRecordSchema: SessionRecordSchema = core.sessionRecordSchema;

/** Checks a `SessionView`. */
export interface SessionViewSchema extends z.ZodType<SessionView, z.input<typeof core.sessionViewSchema>> {}
export const sessionViewSchema: SessionViewSchema = core.sessionViewSchema;

const counts = z.object({ answered: z.number(), cancelled: z.number(), withdrawn: z.number(), timedOut: z.number() });
const shares = z.array(z.object({ name: z.string().optional(), counts, total: z.number(), median: z.number().optional() }));
/** Checks a `Tally`. */
export interface TallySchema extends z.ZodType<Tally, Tally> {}
export const tallySchema: TallySchema = z.object({
  total: z.number(),
  counts,
  days: z.array(z.object({ day: z.number(), counts })),
  median: z.number().optional(),
  p90: z.number().optional(),
  bins: z.array(z.object({ from: z.number(), until: z.number().optional(), count: z.number() })),
  clients: shares,
  projects: shares,
});
