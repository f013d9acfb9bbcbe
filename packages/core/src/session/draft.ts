import * as z from "zod";
import { commentsSchema, filesSchema } from "./answer.ts";
import { answererSchema, timeSchema } from "./outcome.ts";
import { scheduledAnswerSchema } from "./view.ts";

/** What has been typed for one question so far; unlike an answer it may be incomplete. */
const draftFieldSchema = /* @__PURE__ */ (() =>
  z.object({
    values: z.array(z.string()).optional(),
    customText: z.string().optional(),
    note: z.string().optional(),
    /** The arguments with which an action is to be allowed, as JSON as far as typed; the agent's own without it. */
    input: z.string().optional(),
    skipped: z.boolean().optional(),
    files: filesSchema,
    comments: commentsSchema,
  }))();
/** What has been entered for one question. */
export type DraftField = z.infer<typeof draftFieldSchema>;

/** A partial answer. The last write to a field wins; it is removed when its session settles. */
export const draftSchema = /* @__PURE__ */ (() =>
  z.object({
    sessionId: z.string(),
    /** 1 at first, incremented with each change. */
    revision: z.int().min(1),
    /** By question id. */
    fields: z.record(z.string(), draftFieldSchema),
    comment: z.string().optional(),
    /** Why the questions are declined or the action denied, as far as typed. */
    reason: z.string().optional(),
    files: filesSchema,
    updatedAt: timeSchema,
    by: answererSchema,
    /** The complete answer, or the decline, once it has been sent with a delay. */
    scheduled: scheduledAnswerSchema.optional(),
    /** Idempotency keys of the last answer and the last decline that were sent with a delay, and of the last recall. */
    requests: z.object({ answer: z.string().optional(), cancel: z.string().optional(), recall: z.string().optional() }).optional(),
  }))();
/** What people have begun to answer in a session, shared between their surfaces. */
export type Draft = z.infer<typeof draftSchema>;

/** A surface's changes: only the fields it names; null removes one. */
export const draftPatchSchema = /* @__PURE__ */ (() =>
  z.object({
    fields: z.record(z.string(), draftFieldSchema.nullable()).optional(),
    comment: z.string().nullable().optional(),
    reason: z.string().nullable().optional(),
    files: filesSchema.nullable(),
  }))();
/** A change to a draft. */
export type DraftPatch = z.infer<typeof draftPatchSchema>;
