import { type Actor, type AnswerSet, type Desk, isAskboxError, type SessionView } from "@askbox/core";
import { answerFromText, checkAnswer, cut, offeredOptions, traitsOf } from "@askbox/core/questions";
import { timeOfDay } from "@askbox/inbox/text";
import { plainLine } from "@askbox/terminal-text";
import {
  actionId,
  answerOf,
  type Card,
  type CardAction,
  type CardVerb,
  keepPicked,
  type Picked,
  type PickedFile,
  pickedIn,
  pickedOf,
} from "./card.ts";
import type { Reaction } from "./port.ts";
import { noQuestion, tooLate } from "./words.ts";

/** Milliseconds that the button to snooze lasts. */
const snoozeTime = 3_600_000;

/** A press or a text that is about a card, by a person who may answer there. */
export interface Interaction {
  session: SessionView;
  card: Card;
  /** What they did. A list's button is none of the card's own. */
  verb: Exclude<CardVerb, "show">;
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
  takeFiles?: ((present: readonly PickedFile[]) => Promise<PickedFile[] | string>) | undefined;
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

/**
 * Does what a person pressed or wrote, and returns what they are told. What a press sets is in its button, so that a repeated press changes
 * nothing. Rejects only if the store cannot be reached: then it is tried again.
 */
export async function react(interaction: Interaction): Promise<Reaction> {
  const { session, card } = interaction;
  const [at = 0, index = 0, value = 0] = interaction.numbers;
  const row = verbs[interaction.verb];
  if (session.status !== "pending") return { tell: tooLate(session, interaction.by) };
  if (session.scheduled !== undefined && row.duringUndo !== true) return { tell: "An answer is on its way; undo it first." };
  if (row.isButton !== false && !interaction.isOffered) return { tell: "This button is no longer offered." };
  try {
    return await row.run(interaction, { question: session.questions[at], at, index, value });
  } catch (error) {
    if (!isAskboxError(error) || error.code === "STORE_UNAVAILABLE") throw error;
    if (error.code === "SESSION_CLOSED") return { tell: tooLate(await interaction.desk.get(session.id), interaction.by) };
    return { tell: error.message };
  } finally {
    // Its messages that ask for a text are kept as long as they may be answered.
    card.prompts = card.prompts.slice(-10);
  }
}

interface Arguments {
  question: SessionView["questions"][number] | undefined;
  at: number;
  index: number;
  value: number;
}

interface Verb {
  run(interaction: Interaction, about: Arguments): Reaction | Promise<Reaction>;
  /** Whether it is a button of the message, and not what a form or a reply sends. */
  isButton?: false;
  duringUndo?: true;
}

const toggled = (values: readonly string[], value: string, isOn: boolean) =>
  isOn ? [...values.filter((each) => each !== value), value] : values.filter((each) => each !== value);

const verbs: Readonly<Record<Interaction["verb"], Verb>> = {
  // Answers with one option.
  pick: {
    run(interaction, { question, at, index }) {
      const option = question && offeredOptions(question)[index];
      return option === undefined ? { tell: noQuestion } : pick(interaction, at, { values: [option.value] });
    },
  },
  // Turns an option on or off.
  toggle: {
    run: (interaction, { question, index, value }) =>
      set(interaction, question, ({ values, customText }) => {
        const option = question && offeredOptions(question)[index];
        return option === undefined ? undefined : { values: toggled(values, option.value, value === 1), customText };
      }),
  },
  // Puts an option in a place of the order.
  rank: {
    run: (interaction, { question, index, value }) =>
      set(interaction, question, ({ values }) => {
        const option = question && offeredOptions(question)[index];
        return option === undefined || values.length !== value ? undefined : { values: [...values, option.value] };
      }),
  },
  clear: { run: (interaction, { question }) => set(interaction, question, () => ({ values: [] })) },
  // Shows another question.
  goTo: {
    run({ session, card }, { at }) {
      card.step = Math.min(at, session.questions.length);
      return {};
    },
  },
  // Skips a question.
  skip: { run: (interaction, { at }) => pick(interaction, at, { values: [], files: undefined }) },
  // Sends what was picked.
  send: { run: (interaction) => send(interaction) },
  undo: {
    duringUndo: true,
    async run({ session, card, desk, key }) {
      await desk.recall(session.id, { idempotencyKey: key });
      card.sentBy = undefined;
      return { tell: "Undone.", isShown: true };
    },
  },
  menu: {
    run({ card }, { at }) {
      card.isMenuOpen = at === 1;
      return {};
    },
  },
  snooze: {
    async run({ session, desk, key, now }) {
      const { snoozedUntil = now } = await desk.snooze(session.id, { until: now + snoozeTime, idempotencyKey: key });
      return { tell: `Snoozed until ${timeOfDay(snoozedUntil, now)}.` };
    },
  },
  decline: {
    async run({ session, desk, key }) {
      await desk.cancel(session.id, { idempotencyKey: key });
      return { tell: "Declined.", isShown: true };
    },
  },
  openAnswer: {
    run: ({ card }, { question, at }) => ({
      ask: { action: actionId(card, "write", at), title: cut(plainLine(question?.question ?? ""), 200) },
    }),
  },
  openAskBack: { run: ({ card }) => ({ ask: { action: actionId(card, "askBack"), title: "What do you want to ask the agent?" } }) },
  openComment: { run: ({ card }) => ({ ask: { action: actionId(card, "comment"), title: "Your comment for the agent" } }) },
  openDenial: { run: ({ card }) => ({ ask: { action: actionId(card, "deny"), title: "Why is it denied?" } }) },
  // What forms and replies send.
  write: {
    isButton: false,
    run(interaction, { question, at }) {
      if (question === undefined) return { tell: noQuestion };
      const answer = answerFromText(question, interaction.text ?? "", { picked: pickedOf(interaction.card, question.id).values });
      return "problem" in answer ? { tell: answer.problem } : pick(interaction, at, pickedIn(answer));
    },
  },
  attach: {
    isButton: false,
    async run(interaction, { question, at }) {
      const { card, text = "", isPart, takeFiles } = interaction;
      if (question === undefined) return { tell: "Go back to a question to attach a file to it." };
      const { picks, attached } = traitsOf(question);
      if (picks === "decision") return { tell: "A file neither allows nor denies; press a button." };
      const present = pickedOf(card, question.id);
      const files = (await takeFiles?.(present.files ?? [])) ?? [];
      if (typeof files === "string") return { tell: files };
      keepPicked(card, question.id, { ...present, files });
      // A caption is no answer where files are.
      if (attached && text.trim() !== "") card.comment = [card.comment, text].filter(Boolean).join("\n");
      const answer = text.trim() !== "" && !attached ? answerFromText(question, text, { picked: present.values }) : undefined;
      if (answer !== undefined && "problem" in answer) return { tell: answer.problem };
      const picked = answer && pickedIn(answer);
      if (picked !== undefined && !isPart) return pick(interaction, at, picked);
      keepPicked(card, question.id, { ...present, ...picked, files });
      return { tell: "Attached; press the button below the question when everything is there.", isShown: true };
    },
  },
  askBack: {
    isButton: false,
    async run({ session, card, desk, key, text = "", own, takeFiles }) {
      const questionId = session.questions.length > 1 ? session.questions[card.step]?.id : undefined;
      const files = await takeFiles?.([]);
      if (typeof files === "string") return { tell: files };
      await desk.askBack(
        session.id,
        { text, ...(files && { files }), ...(questionId !== undefined && { questionId }) },
        { idempotencyKey: key },
      );
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
      const { session, card, text } = interaction;
      const question = session.questions[card.step];
      const denial = question && offeredOptions(question).find(({ shortcut }) => shortcut === "no");
      if (denial === undefined || question === undefined) return { tell: noQuestion };
      if (traitsOf(question).picks !== "decision") return { tell: noQuestion };
      return pick(interaction, card.step, { values: [denial.value], customText: text });
    },
  },
};

/** Changes what is picked for a question, without sending it. */
function set(interaction: Interaction, question: Arguments["question"], change: (present: Picked) => Picked | undefined): Reaction {
  const next = question && change(pickedOf(interaction.card, question.id));
  if (question !== undefined && next !== undefined)
    keepPicked(interaction.card, question.id, { ...pickedOf(interaction.card, question.id), ...next });
  return {};
}

/** The answer to one question: sent if it is the only one and complete, otherwise kept until the set is sent. */
function pick(interaction: Interaction, at: number, picked: Picked): Reaction | Promise<Reaction> {
  const { session, card } = interaction;
  const question = session.questions[at];
  if (question === undefined) return { tell: noQuestion };
  if (!interaction.mayAllow && allows(question, picked)) return { tell: notAllowed };
  const { files } = { ...pickedOf(card, question.id), ...picked };
  keepPicked(card, question.id, { ...picked, files });
  const { picks } = traitsOf(question);
  const isOne = picks !== "many" && picks !== "order";
  if (session.questions.length === 1 && (isOne || picked.values.length === 0)) return send(interaction);
  if (isOne || picked.values.length === 0) card.step = at + 1;
  return {};
}

const notAllowed = "You can deny actions here, but not allow them; an inbox can.";

/** Whether an action would be allowed. */
const allows = (question: SessionView["questions"][number], { values }: Picked): boolean =>
  traitsOf(question).picks === "decision" &&
  offeredOptions(question).some(({ value, shortcut }) => shortcut !== "no" && values.includes(value));

async function send(interaction: Interaction): Promise<Reaction> {
  const { session, card, desk, key, undo, by } = interaction;
  const answers = session.questions.map(({ id }) => answerOf(card, id));
  // Somebody else may have picked it.
  if (!interaction.mayAllow && session.questions.some((each) => allows(each, pickedOf(card, each.id)))) return { tell: notAllowed };
  const wrong = session.questions.findIndex((question, index) => checkAnswer(question, answers[index] ?? answerOf(card, "")) !== undefined);
  const question = session.questions[wrong];
  if (question !== undefined) {
    card.step = wrong;
    return { tell: checkAnswer(question, answerOf(card, question.id)) };
  }
  const answerSet: AnswerSet = { answers, ...(card.comment !== undefined && { comment: card.comment }) };
  await desk.answer(session.id, answerSet, { ...(undo > 0 && { delay: undo }), idempotencyKey: key });
  card.sentBy = by.name;
  return { tell: undo > 0 ? `Sent in ${Math.round(undo / 1_000)} s.` : "Sent.", isShown: true };
}
