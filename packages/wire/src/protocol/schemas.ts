// The core's schemas and the wire's own, as interfaces: otherwise the declarations of the table would be several times as large.

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
import type { Conversation, Outlook } from "@askbox/core/clients";
import type { RanPage } from "@askbox/core/grants";
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

/** Checks an `Outlook`. */
export interface OutlookSchema extends z.ZodType<Outlook, z.input<typeof core.outlookSchema>> {}
export const outlookSchema: OutlookSchema = core.outlookSchema;

/** Checks a `RegisteredAgent`. */
export interface RegisteredAgentSchema extends z.ZodType<RegisteredAgent, z.input<typeof core.registeredAgentSchema>> {}
export const registeredAgentSchema: RegisteredAgentSchema = core.registeredAgentSchema;

/** Checks a `RanPage`. */
export interface RanPageSchema extends z.ZodType<RanPage, RanPage> {}
// The hub has checked each action as it read it; a page needs less code without checking it again.
export const ranPageSchema = z.looseObject({ isOn: z.boolean(), items: z.array(z.unknown()) }) as unknown as RanPageSchema;

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
  denials: z.object({ overruled: z.number(), agreed: z.number(), stands: z.number() }).optional(),
});

export const sessionId = z.string().min(1).max(200);

/** How a tool call ended. */
export const callEndSchema = z.object({
  tool: z.string().min(1).max(100),
  status: z.enum(["ok", "error", "aborted"]),
  /** The error's code. */
  error: z.string().max(100).optional(),
});
/** How a tool call ended. */
export type ToolCallEnd = z.infer<typeof callEndSchema>;

/** A logged-in browser. Times are wall time in ms since the epoch. */
export const deviceSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** Who uses it, if that is known. */
  person: z.string().optional(),
  createdAt: z.number(),
  lastSeenAt: z.number(),
  /** When it is logged out because the token it logged in with expires. */
  expiresAt: z.number().optional(),
  /** Whether it is the browser that sent the request. */
  current: z.boolean(),
});
/** A logged-in browser, as desks see it. */
export type WireDevice = z.infer<typeof deviceSchema>;

/** What an ask has brought. */
export const handoverSchema = z.object({
  session: sessionRecordSchema,
  earlier: z.array(sessionRecordSchema),
  late: z.boolean(),
  joined: z.boolean(),
});

/** The sessions that a call has returned. */
export const delivered = z
  .array(
    z.object({
      sessionId,
      withOutcome: z.boolean().default(true),
      withReply: z.boolean(),
      /** The number of messages in its thread. */
      messages: z.int().min(0).default(0),
    }),
  )
  .max(100);
