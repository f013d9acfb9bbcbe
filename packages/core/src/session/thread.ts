import * as z from "zod";
import { type AnswerSet, filesSchema } from "./answer.ts";
import { limits } from "./limits.ts";
import { type Actor, actorSchema, timeSchema } from "./outcome.ts";

/** A message of a session's thread: a person's question to the agent or, if its surface is `asker`, the agent's reply. */
export const threadMessageSchema = /* @__PURE__ */ (() =>
  z.object({
    id: z.string(),
    /** The question that it is about; absent if it is about all of them. */
    questionId: z.string().optional(),
    /** Markdown; may be empty beside files. */
    text: z.string(),
    files: filesSchema,
    by: actorSchema,
    at: timeSchema,
    /** Written to the agent without being asked, when no question was open. */
    unasked: z.literal(true).optional(),
    /** For a person's message: when it was delivered to the agent. */
    deliveredAt: timeSchema.optional(),
    /** Idempotency key of the request that wrote it. */
    request: z.string().optional(),
  }))();
/** One message of a session's thread: what a person asked back, or the agent's reply. */
export type ThreadMessage = z.infer<typeof threadMessageSchema>;

/** What a surface sends to ask back. */
export const askBackSchema = /* @__PURE__ */ (() =>
  z.object({ questionId: z.string().optional(), text: z.string(), files: filesSchema }))();
/** What a person asks the agent before answering: about one question, or about all of them. Without text if it has files. */
export type AskBack = z.infer<typeof askBackSchema>;

/** A message as readable text, then the names of its files in brackets. */
export const messageText = ({ text, files = [] }: Pick<ThreadMessage, "text" | "files">): string =>
  [text, ...files.map(({ name }) => `[${name}]`)].filter((part) => part.trim() !== "").join(" ");

/** The comment on a set of answers as readable text, then the names of its files in brackets; empty if there is neither. */
export const commentText = ({ comment = "", files }: Pick<AnswerSet, "comment" | "files">): string => messageText({ text: comment, files });

/** Whether the agent wrote it. */
export const isReply = ({ by }: { by: Actor }): boolean => by.surface === "asker";

/** The number, from 1, of the question that a message is about; 0 if it is about all of them, or there is only one. */
export const aboutNumber = (questions: readonly { id: string }[], { questionId }: { questionId?: string | undefined }): number =>
  questions.length > 1 ? questions.findIndex(({ id }) => id === questionId) + 1 : 0;

/** The number of replies in a thread; people see each like a new question. */
export const replyCount = ({ thread = [] }: { thread?: readonly { by: Actor }[] | undefined }): number => thread.filter(isReply).length;

/**
 * A person's undelivered messages to the agent, oldest first. Those of a replaced session are in the thread of the session that replaced
 * it.
 */
export function askedBack({ thread, replacedBy }: { thread: readonly ThreadMessage[]; replacedBy?: string | undefined }): ThreadMessage[] {
  return replacedBy === undefined ? thread.filter((message) => !isReply(message) && message.deliveredAt === undefined) : [];
}

/**
 * A person's messages that wait for the agent's reply, oldest first: those not delivered, and in a pending session also those delivered
 * since its last reply. In a session that replaces another, the earlier messages were answered by the new questions.
 */
export function unreplied(session: Parameters<typeof askedBack>[0] & { state: string; replaces?: string | undefined }): ThreadMessage[] {
  const { state, thread, replaces, replacedBy } = session;
  if (state !== "pending" || replaces !== undefined || replacedBy !== undefined) return askedBack(session);
  const replied = thread.findLastIndex(isReply);
  return thread.filter((message, index) => !isReply(message) && (index > replied || message.deliveredAt === undefined));
}

/** The record with the person's messages among the first `count` marked as delivered. */
export function markDelivered<Record extends { thread: ThreadMessage[] }>(record: Record, count: number, at: number): Record {
  const delivered = new Set(askedBack({ thread: record.thread.slice(0, count) }));
  if (delivered.size === 0) return record;
  return { ...record, thread: record.thread.map((message) => (delivered.has(message) ? { ...message, deliveredAt: at } : message)) };
}

/** Whether a thread accepts another message from this side: each side has a maximum, and an agent may only reply. */
export function hasRoom(thread: readonly ThreadMessage[], message: { by: Actor }): boolean {
  const ofReplies = isReply(message);
  const same = thread.filter((one) => isReply(one) === ofReplies).length;
  return same < limits.rounds && (!ofReplies || thread.length > 0);
}
