import { createHash } from "node:crypto";
import { type Actor, type AnswerSet, type Desk, isAskboxError, type Log, type SessionView } from "@askbox/core";
import { type AnswerFile, answerFromText, bytesText, checkAnswer, cut, maxFiles, offeredOptions, traitsOf } from "@askbox/core/questions";
import { answerOf, emptyField, type Field, fieldAfter, fieldOfAnswer } from "@askbox/inbox/form";
import { endingNames, timeOfDay } from "@askbox/inbox/text";
import { plainLine } from "@askbox/terminal-text";
import { actionId, answerIn, type Card, type CardAction, type CardVerb, fieldOf, keepField } from "./card.ts";
import { inert } from "./plain.ts";
import type { ChatConnection, ChatPlatform, Reaction, SentFile } from "./port.ts";
import { noQuestion, tooLate } from "./words.ts";

/**
 * What happens at the press of a card's button, and when a person fills in its form or replies to it.
 *
 * 1. `react` finds out whether it may happen at all: the question still waits, no answer is on its way, and the button is on the card, since
 *    a message that somebody kept open has older ones.
 * 2. The verb's row in `verbs` does it. Most verbs fill in the form of a question, as the inboxes do; a few move about in the card, and
 *    snooze, decline, undo and ask back are the desk's.
 * 3. `answer` takes the field of one question. The only question of a session is sent at once if one press answers it; an order, several
 *    options and sets are collected in the card until Send is pressed.
 * 4. `send` checks the whole form and gives it to the desk, which holds it back while it can be undone.
 *
 * What can go wrong:
 * - Somebody was faster, here or in an inbox: the person is told how it ended.
 * - The same event comes twice, or a press is repeated: a button says what it sets and not that it changes it, and the desk is given the
 *   event's key, so that the second time changes nothing.
 * - An answer is not valid: the card goes to its question, and the person is told what is wrong with it.
 * - They may deny an action here but not allow it. `send` looks again, since somebody else may have picked it.
 * - The store can't be reached: only then this rejects, and the event is taken again. What was picked stays in the card.
 */

/** Milliseconds that the button to snooze lasts. */
const snoozeTime = 3_600_000;
/** Messages of a card that ask for a text, and may be answered. */
const maxPrompts = 10;

/** A press or a text that is about a card, by a person who may answer there. */
export interface Interaction {
  session: SessionView;
  card: Card;
  /** What they did. A list's button is none of the card's own. */
  verb: Exclude<CardVerb, "show">;
  /** A question's index, an option's, and what it is set to; as many as the verb needs. */
  numbers: CardAction["numbers"];
  /** What was filled in or written. */
  text: string | undefined;
  /** Who did it, as their answers name them. */
  by: Actor & { name: string };
  desk: Pick<Desk, "get" | "answer" | "recall" | "askBack" | "snooze" | "cancel">;
  /** Whether they can allow an action here. */
  mayAllow: boolean;
  /** Whether more messages belong to it. */
  isPart: boolean;
  /** Stores the files that were sent, after those that are there; a sentence says why not. Absent if there are none. */
  takeFiles?: ((present: readonly AnswerFile[]) => Promise<AnswerFile[] | string>) | undefined;
  /** Identifies the event, so that it takes effect once. */
  key: string;
  /** Milliseconds during which an answer can be undone. */
  undo: number;
  now: number;
  /** The message that an ask back came in, which the reply answers. */
  own: string | undefined;
  /** Whether the card has this button now. */
  isOffered: boolean;
}

/** Does what a person pressed or wrote, and returns what they are told. Rejects only if the store cannot be reached. */
export async function react(interaction: Interaction): Promise<Reaction> {
  const { session, card, verb, numbers, by, desk, isOffered } = interaction;
  const { run, isButton = true, duringUndo = false } = verbs[verb];
  const [at = 0, index = 0, value = 0] = numbers;
  if (session.status !== "pending") return { tell: tooLate(session, by) };
  if (session.scheduled !== undefined && !duringUndo) return { tell: "An answer is on its way; undo it first." };
  if (isButton && !isOffered) return { tell: "This button is no longer offered." };
  try {
    return await run(interaction, { at, question: session.questions[at], index, value });
  } catch (error) {
    if (!isAskboxError(error) || error.code === "STORE_UNAVAILABLE") throw error;
    if (error.code === "SESSION_CLOSED") return { tell: tooLate(await desk.get(session.id), by) };
    return { tell: error.message };
  } finally {
    card.prompts = card.prompts.slice(-maxPrompts);
  }
}

type Question = SessionView["questions"][number];

/** What a verb's numbers say: the question and its index, an option's index, and what it is set to. */
interface Subject {
  at: number;
  question: Question | undefined;
  index: number;
  value: number;
}

interface Verb {
  run(interaction: Interaction, subject: Subject): Reaction | Promise<Reaction>;
  /** Whether it is a button of the message, and not what a form or a reply sends. Default: it is. */
  isButton?: false;
  /** Whether it can be done while an answer can be undone. Default: no. */
  duringUndo?: true;
}

const verbs: Readonly<Record<Interaction["verb"], Verb>> = {
  // One press answers the question, or changes its field.
  pick: {
    run(interaction, { at, question, index }) {
      const option = question && offeredOptions(question)[index];
      if (question === undefined || option === undefined) return { tell: noQuestion };
      return answer(interaction, at, (field) => fieldAfter(question, field, { kind: "choose", value: option.value }));
    },
  },
  toggle: {
    run({ card }, { question, index, value }) {
      const option = question && offeredOptions(question)[index];
      if (question === undefined || option === undefined) return {};
      const field = fieldOf(card, question.id);
      const isToggled = field.values.includes(option.value) !== (value === 1);
      if (isToggled) keepField(card, question.id, fieldAfter(question, field, { kind: "choose", value: option.value }));
      return {};
    },
  },
  rank: {
    run({ card }, { question, index, value }) {
      const option = question && offeredOptions(question)[index];
      if (question === undefined || option === undefined) return {};
      const field = fieldOf(card, question.id);
      // Only in the place that its button named.
      if (field.values.length === value) keepField(card, question.id, fieldAfter(question, field, { kind: "rank", value: option.value }));
      return {};
    },
  },
  clear: {
    run({ card }, { question }) {
      if (question !== undefined) keepField(card, question.id, { ...emptyField, files: fieldOf(card, question.id).files });
      return {};
    },
  },
  skip: {
    // It forgets what was picked and attached, which stays in the inboxes.
    run: (interaction, { at, question }) =>
      question === undefined
        ? { tell: noQuestion }
        : answer(interaction, at, () => fieldAfter(question, emptyField, { kind: "skip", skipped: true })),
  },
  send: { run: (interaction) => send(interaction) },
  undo: {
    duringUndo: true,
    async run({ session, card, desk, key }) {
      await desk.recall(session.id, { idempotencyKey: key });
      card.sentBy = undefined;
      return { tell: "Undone.", isShown: true };
    },
  },

  // Moves about in the card.
  goTo: {
    run({ session, card }, { at }) {
      card.step = Math.min(at, session.questions.length);
      return {};
    },
  },
  menu: {
    run({ card }, { at: isOpen }) {
      card.isMenuOpen = isOpen === 1;
      return {};
    },
  },

  // Delays the question, or ends it without an answer.
  snooze: {
    async run({ session, desk, key, now }) {
      const { snoozedUntil = now } = await desk.snooze(session.id, { until: now + snoozeTime, idempotencyKey: key });
      return { tell: `Snoozed until ${timeOfDay(snoozedUntil, now)}.` };
    },
  },
  decline: {
    async run({ session, desk, key }) {
      await desk.cancel(session.id, { idempotencyKey: key });
      return { tell: `${endingNames.declined}.`, isShown: true };
    },
  },

  // Opens a form, or asks for a reply.
  openAnswer: {
    run: ({ card }, { at, question }) => ({
      ask: { action: actionId(card, "write", at), title: cut(plainLine(question?.question ?? ""), 200) },
    }),
  },
  openAskBack: { run: ({ card }) => ({ ask: { action: actionId(card, "askBack"), title: "What do you want to ask the agent?" } }) },
  openComment: { run: ({ card }) => ({ ask: { action: actionId(card, "comment"), title: "Your comment for the agent" } }) },
  openDenial: { run: ({ card }) => ({ ask: { action: actionId(card, "deny"), title: "Why is it denied?" } }) },

  // What that form or reply sends.
  write: {
    isButton: false,
    run(interaction, { at, question }) {
      if (question === undefined) return { tell: noQuestion };
      const read = fieldIn(question, interaction.text ?? "", fieldOf(interaction.card, question.id));
      return "problem" in read ? { tell: read.problem } : answer(interaction, at, () => read);
    },
  },
  attach: { isButton: false, run: (interaction, subject) => attach(interaction, subject) },
  askBack: {
    isButton: false,
    async run({ session, card, desk, key, text = "", own, takeFiles }) {
      const questionId = session.questions.length > 1 ? session.questions[card.step]?.id : undefined;
      const files = await takeFiles?.([]);
      if (typeof files === "string") return { tell: files };
      const message = { text, ...(files && { files }), ...(questionId !== undefined && { questionId }) };
      await desk.askBack(session.id, message, { idempotencyKey: key });
      card.replyTo = own ?? card.messages.at(-1);
      return { tell: "The agent was asked; its reply comes here.", isShown: true };
    },
  },
  comment: {
    isButton: false,
    run({ card, text = "" }) {
      card.comment = text;
      card.isMenuOpen = false;
      return { tell: "It is sent with your answer.", isShown: true };
    },
  },
  deny: {
    isButton: false,
    run(interaction) {
      const { session, card, text = "" } = interaction;
      const question = session.questions[card.step];
      if (question === undefined || traitsOf(question).picks !== "decision") return { tell: noQuestion };
      return answer(interaction, card.step, (field) => fieldAfter(question, field, { kind: "otherText", text }));
    },
  },
};

/** The field that a typed line makes of a question's, with its files; or a sentence why it is no answer. */
function fieldIn(question: Question, text: string, { values, files }: Field): Field | { problem: string } {
  const read = answerFromText(question, text, { picked: values });
  return "problem" in read ? read : { ...fieldOfAnswer(read), files };
}

/** Attaches files to a question's answer. What was written with them is the answer, or where files are the answer, a comment. */
async function attach(interaction: Interaction, { at, question }: Subject): Promise<Reaction> {
  const { card, text = "", isPart, takeFiles } = interaction;
  if (question === undefined) return { tell: "Go back to a question to attach a file to it." };
  const { picks, attached } = traitsOf(question);
  if (picks === "decision") return { tell: "A file neither allows nor denies; press a button." };
  const present = fieldOf(card, question.id);
  const files = (await takeFiles?.(present.files ?? [])) ?? [];
  if (typeof files === "string") return { tell: files };
  const field = fieldAfter(question, present, { kind: "files", files });
  keepField(card, question.id, field);
  const isCaption = text.trim() !== "";
  if (isCaption && attached) card.comment = [card.comment, text].filter(Boolean).join("\n");
  if (isCaption && !attached) {
    const read = fieldIn(question, text, field);
    if ("problem" in read) return { tell: read.problem };
    if (!isPart) return answer(interaction, at, () => read);
    keepField(card, question.id, read);
  }
  return { tell: "Attached; press the button below the question when everything is there.", isShown: true };
}

/** Answers one question: sent if it is the only one and complete, otherwise kept until the set is sent. */
function answer(interaction: Interaction, at: number, change: (field: Field) => Field): Reaction | Promise<Reaction> {
  const { session, card } = interaction;
  const question = session.questions[at];
  if (question === undefined) return { tell: noQuestion };
  const field = change(fieldOf(card, question.id));
  if (!interaction.mayAllow && allows(question, field)) return { tell: notAllowed };
  keepField(card, question.id, field);
  const { picks } = traitsOf(question);
  // Several options or an order are complete when the person says so; own words in their place, or a skip, at once.
  const isComplete = (picks !== "many" && picks !== "order") || field.values.length === 0;
  if (session.questions.length === 1 && isComplete) return send(interaction);
  if (isComplete) card.step = at + 1;
  return {};
}

/** Sends what the card has for every question. */
async function send({ session, card, desk, key, undo, by, mayAllow }: Interaction): Promise<Reaction> {
  const { questions } = session;
  if (!mayAllow && questions.some((question) => allows(question, fieldOf(card, question.id)))) return { tell: notAllowed };
  for (const [step, question] of questions.entries()) {
    const problem = checkAnswer(question, answerIn(card, question));
    if (problem === undefined) continue;
    card.step = step;
    return { tell: problem };
  }
  const answerSet: AnswerSet = {
    answers: questions.map((question) => answerIn(card, question)),
    ...(card.comment !== undefined && { comment: card.comment }),
  };
  await desk.answer(session.id, answerSet, { ...(undo > 0 && { delay: undo }), idempotencyKey: key });
  card.sentBy = by.name;
  return { tell: undo > 0 ? `Sent in ${Math.round(undo / 1_000)} s.` : "Sent.", isShown: true };
}

const notAllowed = "You can deny actions here, but not allow them; an inbox can.";

/** Whether an action would be allowed. */
const allows = (question: Question, field: Field): boolean => {
  const { values } = answerOf(question, field);
  return (
    traitsOf(question).picks === "decision" &&
    offeredOptions(question).some(({ value, shortcut }) => shortcut !== "no" && values.includes(value))
  );
};

/** Where the files of answers are stored. */
export interface ChatFiles {
  /** The most bytes of one. */
  most: number;
  /**
   * Stores one for a session; its type is known by its first bytes. `upload`: names it, so that a repeated one is stored once. Throws
   * `PAYLOAD_TOO_LARGE` if there is no room, and `SESSION_CLOSED`.
   */
  put(
    file: { sessionId: string; upload: string; bytes: Uint8Array<ArrayBuffer> },
    by: Actor,
  ): Promise<{ sha256: string; size: number; mimeType: string }>;
}

interface TakeFilesOptions {
  platform: ChatPlatform;
  files: ChatFiles | undefined;
  connection: Pick<ChatConnection, "fetchFile">;
  sessionId: string;
  /** Identifies the message with them. */
  key: string;
  by: Actor;
  log: Log;
}

const shownName = (name: string) => inert(cut(plainLine(name), 60));

/**
 * Fetches and stores what a person sent, with what they sent before; or says in a sentence why not. Nothing is fetched that is known to be too
 * large.
 */
export async function takeFiles(
  sent: readonly SentFile[],
  present: readonly AnswerFile[],
  { platform, files, connection, sessionId, key, by, log }: TakeFilesOptions,
): Promise<AnswerFile[] | string> {
  if (files === undefined) return "This hub stores no files.";
  if (present.length + sent.length > maxFiles) return `An answer can have at most ${maxFiles} files.`;
  const most = Math.min(files.most, platform.limits.file);
  const tooLarge = (name: string) => `${shownName(name)} is too large: a file from ${platform.title} may have at most ${bytesText(most)}.`;
  const large = sent.find(({ size }) => size > most);
  if (large !== undefined) return tooLarge(large.name);
  const taken = [...present];
  for (const [index, file] of sent.entries()) {
    const fetched = await connection.fetchFile(file, most);
    if ("failure" in fetched) {
      if (fetched.failure === "large") return tooLarge(file.name);
      return `${shownName(file.name)} could not be fetched from ${platform.title}; send it again.`;
    }
    const upload = createHash("sha256").update(`${key} ${index}`).digest("base64url");
    const stored = await files.put({ sessionId, upload, bytes: fetched.bytes }, by).catch((error: unknown) => {
      // What is full or can't be written may stay so: whoever else writes or presses need not wait for it.
      if (!isAskboxError(error, "STORE_UNAVAILABLE")) throw error;
      log("error", `A file from ${platform.title} could not be stored.`, { error: error.message });
      return undefined;
    });
    if (stored === undefined)
      return `${shownName(file.name)} could not be stored, and the hub's log says why. Send it again when that is fixed.`;
    if (!taken.some(({ sha256 }) => sha256 === stored.sha256)) taken.push({ name: file.name, ...stored });
  }
  return taken;
}
