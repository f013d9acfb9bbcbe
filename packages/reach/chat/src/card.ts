import { randomBytes } from "node:crypto";
import type { Answer, SessionView } from "@askbox/core";
import { answerOf, draftOfField, type Field, fieldOfDraft } from "@askbox/inbox/form";
import * as z from "zod";

/**
 * A card: one session in one chat, with the messages that show it, what was picked there so far, and the ids of its buttons. It is stored as
 * it is here, so that a restarted hub knows what people see; older forms stay readable.
 */

/** A file that is stored for the answer. */
const fileSchema = z.object({ name: z.string(), mimeType: z.string(), size: z.number(), sha256: z.string() });
const answerSchema = z.object({
  values: z.array(z.string()),
  customText: z.string().optional(),
  skipped: z.boolean().optional(),
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
  /** Messages that ask for a text by a reply, with what is done with it, encoded as in a button's id. */
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

export const newCard = (chat: string, sessionId: string, at: number): Card =>
  cardSchema.parse({ id: randomBytes(12).toString("base64url").replaceAll("_", "-"), chat, sessionId, at });

/** What was picked for a question so far, in the form that the inboxes fill in, too. */
export const fieldOf = ({ answers }: Card, questionId: string): Field =>
  fieldOfDraft(answers.find((answer) => answer.questionId === questionId));

/** Keeps what was picked for a question, in place of what was before. */
export function keepField(card: Card, questionId: string, field: Field): void {
  const others = card.answers.filter((answer) => answer.questionId !== questionId);
  card.answers = [...others, { questionId, values: [], ...draftOfField(field) }];
}

export const answerIn = (card: Card, question: SessionView["questions"][number]): Answer => answerOf(question, fieldOf(card, question.id));

/**
 * What can be done with a card, by the letter that stands for it in the id of a button: a service allows few characters there. Letters are in
 * messages that people have and in stored prompts, so none gets another meaning.
 */
const letters = {
  // Of a list: posts the card again.
  show: "p",
  // Answers.
  pick: "a",
  toggle: "t",
  rank: "r",
  clear: "R",
  skip: "k",
  send: "x",
  undo: "u",
  // Moves.
  goTo: "g",
  menu: "m",
  // Ends or delays the question.
  snooze: "z",
  decline: "q",
  // Opens a form, or asks for a reply.
  openAnswer: "w",
  openAskBack: "b",
  openComment: "c",
  openDenial: "d",
  // What that form or reply sends.
  write: "W",
  attach: "F",
  askBack: "B",
  comment: "C",
  deny: "D",
} as const;
export type CardVerb = keyof typeof letters;

const verbs = new Map(Object.entries(letters).map(([verb, letter]) => [letter as string, verb as CardVerb]));

/** Something to do with a card. `numbers`: what it is about, such as a question's and an option's index. */
export interface CardAction {
  verb: CardVerb;
  numbers: readonly number[];
}

/** An action as it is stored, and as it follows the card in an id: `a0.2`. */
export const encodedAction = ({ verb, numbers }: CardAction): string => `${letters[verb]}${numbers.join(".")}`;

/** Undefined if it is none. */
export function decodedAction(text: string): CardAction | undefined {
  const [, letter = "", numbers] = /^([a-zA-Z])((?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*))*)?$/.exec(text) ?? [];
  const verb = verbs.get(letter);
  return verb && { verb, numbers: numbers?.split(".").map(Number) ?? [] };
}

/** What a button or form of a card sends. */
export const actionId = ({ id }: Pick<Card, "id">, verb: CardVerb, ...numbers: readonly number[]): string =>
  `${id}.${encodedAction({ verb, numbers })}`;

/** The card of what a button sends, and the rest. */
export function partsOfActionId(sent: string): { cardId: string; action: string } {
  const [cardId = "", ...rest] = sent.split(".");
  return { cardId, action: rest.join(".") };
}
