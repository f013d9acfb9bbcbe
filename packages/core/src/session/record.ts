import * as z from "zod";
import { AskboxError } from "../errors.ts";
import { quote } from "../texts.ts";
import { answerSchema, filesSchema } from "./answer.ts";
import { storedAskerSchema } from "./asker-info.ts";
import { actorSchema, answererSchema, outcomeSchema, timeSchema } from "./outcome.ts";
import { questionSchema } from "./questions/schemas.ts";
import { askedBack, threadMessageSchema } from "./thread.ts";

/**
 * The schema version of the record below. A change that an older askbox cannot read increments it and adds a migration. A new question type
 * needs neither: older versions read it as `unknown`.
 */
export const recordSchemaVersion = 3;

/** The states of the session machine. */
export const sessionStates = ["pending", "answered", "cancelled", "timedOut"] as const;
/** The state of a session, as the machine and records name it. */
export type SessionState = (typeof sessionStates)[number];

/** The stored part of an ask: its questions and title, parsed. */
export const askRequestSchema = /* @__PURE__ */ (() =>
  z.object({
    questions: z.array(questionSchema),
    title: z.string().optional(),
    /** Milliseconds. */
    timeout: z.number(),
  }))();
/** What was asked, validated and complete. */
export type AskRequest = z.infer<typeof askRequestSchema>;

/** A reply that came after the deadline; the outcome itself does not change. */
export const replySchema = /* @__PURE__ */ (() =>
  z.object({
    answers: z.array(answerSchema),
    comment: z.string().optional(),
    files: filesSchema,
    by: answererSchema,
    at: timeSchema,
    /** When the reply was delivered to the asker. */
    deliveredAt: timeSchema.optional(),
  }))();
/** An answer that came after the session had timed out. */
export type Reply = z.infer<typeof replySchema>;

/** The answer to an equal, earlier ask of the asker; offered to the person, never sent automatically. */
export const earlierAnswerSchema = /* @__PURE__ */ (() =>
  z.object({
    sessionId: z.string(),
    /** With the question ids of the new session. */
    answers: z.array(answerSchema),
    comment: z.string().optional(),
    by: actorSchema,
    at: timeSchema,
  }))();
/** The answer that the same agent got when it asked the same before. */
export type EarlierAnswer = z.infer<typeof earlierAnswerSchema>;

/**
 * The last time that a hub woke the session's agent. Written before it acts, so that a killed hub leaves `started`: whether the agent was
 * woken is not known then, and no hub does it again.
 */
export const wakingSchema = /* @__PURE__ */ (() =>
  z.object({
    /** Names this waking. */
    id: z.string(),
    state: z.enum(["started", "woken", "failed"]),
    /** Its open conversation was continued, or one that had `gone` was resumed in the background. */
    how: z.enum(["open", "gone"]),
    at: timeSchema,
    /** Why it failed, in a sentence. */
    why: z.string().optional(),
    /** For what: what a call would have been given. */
    given: z.object({ withOutcome: z.boolean(), withReply: z.boolean(), messages: z.int() }),
  }))();
/** The last time that a hub woke a session's agent. */
export type Waking = z.infer<typeof wakingSchema>;

const snoozeSchema = z.object({ name: z.string().optional(), until: timeSchema });
/** One person's snooze, by the name of their desk. `until` is wall time; it stays here once it has passed. */
export type Snooze = z.infer<typeof snoozeSchema>;

/** A session as stores keep it. */
export const sessionRecordSchema = /* @__PURE__ */ (() =>
  z.object({
    schema: z.literal(recordSchemaVersion),
    /** 1 at first, incremented with each change. */
    revision: z.int().min(1),
    id: z.string(),
    /** The asker's own key for this ask; unique among the pending sessions of one `owner`. */
    key: z.string().optional(),
    /** The token that asked. Only it may wait for the session, withdraw it or receive its outcome. */
    owner: z.string(),
    /** The asker within that token: a digest of client, project and agent id. */
    scope: z.string(),
    /** Digest of the title and the questions, with all that bounds an answer. */
    digest: z.string(),
    asker: storedAskerSchema,
    request: askRequestSchema,
    state: z.enum(sessionStates),
    context: z.object({
      /** Wall time; null for no deadline. */
      deadlineAt: timeSchema.nullable(),
      outcome: outcomeSchema.optional(),
    }),
    createdAt: timeSchema,
    closedAt: timeSchema.nullable(),
    /** When a person first opened the session. */
    seenAt: timeSchema.optional(),
    /** Who has moved it to the end of their list. */
    snoozed: z.array(snoozeSchema).optional(),
    /** When the outcome was delivered, and to which call of the asker. */
    delivery: z.object({ deliveredAt: timeSchema.nullable(), callId: z.string().optional() }),
    reply: replySchema.optional(),
    /** When the agent made the call again that a person had allowed once, by overruling its denial. */
    usedAt: timeSchema.optional(),
    waking: wakingSchema.optional(),
    earlierAnswer: earlierAnswerSchema.optional(),
    /** The messages between people and the agent, oldest first. */
    thread: z.array(threadMessageSchema),
    /** The session that this one replaces, with its thread, drafts and place in the list. */
    replaces: z.string().optional(),
    /** The session that replaces this one. */
    replacedBy: z.string().optional(),
    /** Idempotency keys, by which repeated requests are recognized. */
    requests: z.object({
      /** Of the ask that opened it, or the last that joined it. */
      ask: z.string().optional(),
      /** Of the last request that moved its deadline. */
      deadline: z.string().optional(),
      /** Of the request that settled it. */
      outcome: z.string().optional(),
      reply: z.string().optional(),
      /** Of the last request that snoozed or woke it. */
      snooze: z.string().optional(),
    }),
  }))();
/** A session as stores keep it. */
export type SessionRecord = z.infer<typeof sessionRecordSchema>;

/** Migrates the stored form of one schema version to the next. Version 1 is the first. */
type Migration = (stored: Record<string, unknown>) => Record<string, unknown>;
const migrations: ReadonlyMap<number, Migration> = new Map<number, Migration>([
  [1, (stored) => ({ ...stored, schema: 2, requests: {} })],
  [2, (stored) => ({ ...stored, schema: 3, thread: [] })],
]);

/** Parses a stored session of this or any earlier schema. Throws `STORE_DAMAGED` if it is invalid, or if a newer askbox wrote it. */
export function readRecord(stored: unknown): SessionRecord {
  let current = stored as Record<string, unknown> | null;
  while (typeof current === "object" && current !== null && current["schema"] !== recordSchemaVersion) {
    const { schema } = current;
    // Only numbers are compared, since a deeply nested list would overflow the stack.
    const migrate = typeof schema === "number" ? migrations.get(schema) : undefined;
    if (migrate === undefined) {
      throw new AskboxError(
        "STORE_DAMAGED",
        `A stored session has the unknown schema ${quote(schema)}; a newer askbox may have written it.`,
      );
    }
    current = migrate(current);
  }
  const read = sessionRecordSchema.safeParse(current);
  if (read.success) return read.data;
  const { path } = read.error.issues[0] as z.core.$ZodIssue;
  throw new AskboxError("STORE_DAMAGED", `A stored session cannot be read: ${path.join(".") || "it"} is not valid.`, {
    cause: read.error,
  });
}

/** Its outcome, a later reply or a person's message is undelivered: what `StoreQuery.undelivered` selects. */
export function isUndelivered(record: SessionRecord): boolean {
  if (askedBack(record).length > 0) return true;
  if (record.state === "pending") return false;
  return record.delivery.deliveredAt === null || (record.reply !== undefined && record.reply.deliveredAt === undefined);
}

/** Withdrawn by its asker before anybody opened it. */
export function isUnseenWithdrawal({ seenAt, context: { outcome } }: SessionRecord): boolean {
  return seenAt === undefined && outcome?.kind === "cancelled" && outcome.by.surface === "asker";
}

/** Whether one of the questions is an approval; without, grants don't matter. */
export const asksApproval = ({ questions }: AskRequest): boolean => questions.some((question) => "action" in question);
