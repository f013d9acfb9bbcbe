import * as z from "zod";
import { answerSchema, filesSchema } from "./answer.ts";
import { storedAskerSchema } from "./asker-info.ts";
import { outcomeSchema, surfaceSchema, timeSchema } from "./outcome.ts";
import { questionSchema } from "./questions/schemas.ts";
import { earlierAnswerSchema, replySchema, type SessionState, wakingSchema } from "./record.ts";
import { threadMessageSchema } from "./thread.ts";

/** Every status that a session can have, as shown to users and clients. */
export const statuses = ["pending", "answered", "cancelled", "timed_out"] as const;
/** Checks a status. */
export const statusSchema = z.enum(statuses);
/** The status of a session, as views and JSON name it. */
export type Status = z.infer<typeof statusSchema>;

/** The view's name of a machine state. */
export const statusOf = (state: SessionState): Status => (state === "timedOut" ? "timed_out" : state);
/** The machine's name of a view's status. */
export const stateOf = (status: Status): SessionState => (status === "timed_out" ? "timedOut" : status);

/** Whether the asker still waits (`attached`), holds a ticket and will return (`will_ask_again`), or has gone (`away`). */
export const presenceSchema = z.object({
  asker: z.enum(["attached", "will_ask_again", "away"]),
  /** Since when the asker has been away; wall time. */
  awaySince: timeSchema.optional(),
  /** Who has the session open now. */
  openIn: z.array(z.object({ surface: surfaceSchema, name: z.string().optional() })),
});
/** Whether the agent still waits, will return later, or has left. */
export type Presence = z.infer<typeof presenceSchema>;

/** An answer or a decline that the hub holds back so that it can be undone. */
export const scheduledAnswerSchema = /* @__PURE__ */ (() =>
  z.object({
    answers: z.array(answerSchema),
    comment: z.string().optional(),
    files: filesSchema,
    /** The questions are declined instead, perhaps with a reason; then `answers` is empty. */
    decline: z.object({ reason: z.string().optional() }).optional(),
    by: z.object({ surface: surfaceSchema, name: z.string().optional() }),
    /** When it is sent; wall time. */
    sendAt: timeSchema,
  }))();
/** An answer or a decline that is sent at `sendAt` unless it is recalled before. */
export type ScheduledAnswer = z.infer<typeof scheduledAnswerSchema>;

/** A session as people and their surfaces see it, also in `--json` and REST. All times are wall time in ms since the epoch. */
export const sessionViewSchema = /* @__PURE__ */ (() =>
  z.object({
    id: z.string(),
    revision: z.int(),
    status: statusSchema,
    title: z.string().optional(),
    asker: storedAskerSchema,
    questions: z.array(questionSchema),
    createdAt: timeSchema,
    /** Null for no deadline. */
    deadlineAt: timeSchema.nullable(),
    closedAt: timeSchema.nullable(),
    key: z.string().optional(),
    seenAt: timeSchema.optional(),
    /** Until when this desk's person has moved it to the end of their list; it may have passed. */
    snoozedUntil: timeSchema.optional(),
    outcome: outcomeSchema.optional(),
    reply: replySchema.optional(),
    delivery: z.object({ deliveredAt: timeSchema.nullable(), callId: z.string().optional() }),
    /** The last time that a hub woke its agent with what was not delivered. */
    waking: wakingSchema.optional(),
    presence: presenceSchema,
    /** A delayed answer or decline that can still be recalled. */
    scheduled: scheduledAnswerSchema.optional(),
    /** The earlier answer to this asker's equal question; offered, never sent automatically. */
    earlierAnswer: earlierAnswerSchema.optional(),
    /** Messages between people and the agent, oldest first; absent if there are none. */
    thread: z.array(threadMessageSchema.omit({ request: true })).optional(),
    /** The session that this one replaces, and the one that replaces it. */
    replaces: z.string().optional(),
    replacedBy: z.string().optional(),
  }))();
/** A session as desks see it. */
export type SessionView = z.infer<typeof sessionViewSchema>;
