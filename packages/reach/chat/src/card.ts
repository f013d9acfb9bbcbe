import { randomBytes } from "node:crypto";
import type { Answer } from "@askbox/core";
import * as z from "zod";

const fileSchema = z.object({ name: z.string(), mimeType: z.string(), size: z.number(), sha256: z.string() });
/** A file that is stored for the answer. */
export type PickedFile = z.output<typeof fileSchema>;

const answerSchema = z.object({
  values: z.array(z.string()),
  customText: z.string().optional(),
  files: z.array(fileSchema).optional(),
});

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null && !Array.isArray(value);

/** A session in one chat: its messages, and what was picked there so far. */
export const cardSchema = z.object({
  /** Random; buttons begin with it, and name neither session nor answer. */
  id: z.string(),
  chat: z.string(),
  sessionId: z.string(),
  /** Wall time, ms. */
  at: z.number(),
  /** The messages that show it, the current one last. */
  messages: z.array(z.string()).default([]),
  /** Whether it is to be posted, again if it was before. */
  isWanted: z.boolean().default(false),
  /** How often it was posted. */
  posts: z.number().default(0),
  /** Whether nobody knows if the last post arrived: it has no id then. */
  isUnsure: z.boolean().default(false),
  /** Whether a post is under way; if its hub is killed, the next one is unsure of it. */
  isSending: z.boolean().default(false),
  /** What the current message shows, as a digest; and whether an earlier one still has buttons. */
  shown: z.string().default(""),
  /** The question that is shown, by its index; the number of questions for the summary. */
  step: z.number().default(0),
  answers: z
    // An earlier askbox stored them by question.
    .preprocess(
      (stored) => (isObject(stored) ? Object.entries(stored).map(([questionId, picked]) => ({ ...Object(picked), questionId })) : stored),
      z.array(answerSchema.extend({ questionId: z.string() })),
    )
    .default([]),
  comment: z.string().optional(),
  isMenuOpen: z.boolean().default(false),
  /** Messages that ask for a text by a reply, with the action that it is for. */
  prompts: z.array(z.tuple([z.string(), z.string()])).default([]),
  /** The agent's replies that were posted. */
  replies: z.number().default(0),
  /** The message to which the next post is the answer: what a person asked back. */
  replyTo: z.string().optional(),
  /** Who has sent the answer that can still be undone. */
  sentBy: z.string().optional(),
  isClosed: z.boolean().default(false),
});
export type Card = z.output<typeof cardSchema>;

/** What was picked for one question so far. */
export type Picked = z.output<typeof answerSchema>;

/** What an answer picks. */
export const pickedIn = ({ values, customText }: Answer): Picked => ({ values, ...(customText !== undefined && { customText }) });

export const newCard = (chat: string, sessionId: string, at: number): Card =>
  cardSchema.parse({ id: randomBytes(12).toString("base64url").replaceAll("_", "-"), chat, sessionId, at });

export function pickedOf({ answers }: Card, questionId: string): Picked {
  const { values, customText, files } = answers.find((answer) => answer.questionId === questionId) ?? { values: [] };
  return { values, customText, files };
}

/** Keeps what was picked for a question, in place of what was before. */
export function keepPicked(card: Card, questionId: string, picked: Picked): void {
  card.answers = [...card.answers.filter((answer) => answer.questionId !== questionId), { questionId, ...picked }];
}

export const answerOf = (card: Card, questionId: string): Answer => ({ questionId, ...pickedOf(card, questionId) });
