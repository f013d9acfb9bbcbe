import * as z from "zod";
import { AskboxError } from "../errors.ts";
import { quote } from "../quote.ts";
import { actorSchema, answererSchema } from "./actor.ts";
import { answerSchema } from "./answer.ts";
import { storedAskerSchema } from "./asker-info.ts";
import { outcomeSchema, timeSchema } from "./outcome.ts";
import { questionSchema } from "./questions/index.ts";
import { threadMessageSchema } from "./thread.ts";

/**
 * The version of the envelope below. A change that an older askbox cannot read raises it and adds a migration. A new type of question
 * is no such change: it is read as `unknown` where it is not known.
 */
export const recordSchemaVersion = 3;

/** The states of the session machine. */
export const sessionStates = ["pending", "answered", "cancelled", "timedOut"] as const;
/** The state of a session, as the machine and records name it. */
export type SessionState = (typeof sessionStates)[number];

/** What is stored of an ask: its questions and title, parsed. */
export const askRequestSchema = /* @__PURE__ */ (() =>
  z.object({
    questions: z.array(questionSchema),
    title: z.string().optional(),
    /** Milliseconds. */
    timeout: z.number(),
  }))();
/** What was asked, checked and complete. */
export type AskRequest = z.infer<typeof askRequestSchema>;

/** Words that came after the deadline; the outcome stands unchanged beside them. */
export const replySchema = /* @__PURE__ */ (() =>
  z.object({
    answers: z.array(answerSchema),
    comment: z.string().optional(),
    by: answererSchema,
    at: timeSchema,
    /** When the reply was handed to the asker. */
    deliveredAt: timeSchema.optional(),
  }))();
/** An answer that came after the session had timed out. */
export type Reply = z.infer<typeof replySchema>;

/** What the asker's equal, already answered ask got; offered to the person, never sent by itself. */
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

/** A session as stores keep it. */
export const sessionRecordSchema = /* @__PURE__ */ (() =>
  z.object({
    schema: z.literal(recordSchemaVersion),
    /** 1 at first, one more with each change. */
    revision: z.int().min(1),
    id: z.string(),
    /** The asker's own name for this ask; unique among the pending sessions of one `owner`. */
    key: z.string().optional(),
    /** Which token asked. Only it may wait for the session, withdraw it or be given its outcome. */
    owner: z.string(),
    /** Which asker of that token: a digest over client, project and agent id. */
    scope: z.string(),
    /** Digest over type, text and options of all questions. */
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
    /** When a person first had the session open. */
    seenAt: timeSchema.optional(),
    /** When the asker was given the outcome, and in which of its calls. */
    delivery: z.object({ deliveredAt: timeSchema.nullable(), callId: z.string().optional() }),
    reply: replySchema.optional(),
    earlierAnswer: earlierAnswerSchema.optional(),
    /** What people and the agent have written to each other, oldest first. */
    thread: z.array(threadMessageSchema),
    /** The session whose thread, drafts and place in the list this one took over. */
    replaces: z.string().optional(),
    /** The session that has taken over this one's. */
    replacedBy: z.string().optional(),
    /** Idempotency keys, by which repeated requests are recognised. */
    requests: z.object({
      /** Of the ask that opened it, or the last that joined it. */
      ask: z.string().optional(),
      /** Of what moved its deadline last. */
      deadline: z.string().optional(),
      /** Of what settled it. */
      outcome: z.string().optional(),
      reply: z.string().optional(),
    }),
  }))();
/** A session as stores keep it. */
export type SessionRecord = z.infer<typeof sessionRecordSchema>;

/** Turns the stored form of one schema version into the next one's. Version 1 is the first. */
type Migration = (stored: Record<string, unknown>) => Record<string, unknown>;
const migrations: ReadonlyMap<number, Migration> = new Map<number, Migration>([
  [1, (stored) => ({ ...stored, schema: 2, requests: {} })],
  [2, (stored) => ({ ...stored, schema: 3, thread: [] })],
]);

/**
 * Reads a stored session of this or any earlier schema.
 * Throws `STORE_DAMAGED` when it cannot be one, and when a newer askbox wrote it.
 */
export function readRecord(stored: unknown): SessionRecord {
  let current = stored as Record<string, unknown> | null;
  while (typeof current === "object" && current !== null && current["schema"] !== recordSchemaVersion) {
    const { schema } = current;
    // As a number, a list that nests deeply enough would overflow the stack.
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
