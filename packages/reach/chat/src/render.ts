import type { Action, SessionView } from "@askbox/core";
import {
  actionParts,
  allImages,
  commentText,
  cut,
  expectedAnswer,
  imageLines,
  isReply,
  messageText,
  type OfferedOption,
  offeredOptions,
  takesOther,
  traitsOf,
} from "@askbox/core/questions";
import { type DescribedOutcome, describeAnswers } from "@askbox/inbox/describe";
import { actionLabels, outcomeText, timeOfDay } from "@askbox/inbox/text";
import { whoAsks } from "@askbox/notify";
import { exactText, plainLine, suspectCharacters } from "@askbox/terminal-text";
import { actionId, answerIn, type Card } from "./card.ts";
import { cutTo, inert } from "./plain.ts";
import type { ChatButton, ChatLimits, ChatMessage, Part } from "./port.ts";
import { answerLines, attachedLine, endingOf, howTo } from "./words.ts";

export interface RenderContext {
  limits: ChatLimits;
  now: number;
  /** Whether an action may be allowed from this chat. */
  allow: boolean;
  /** The address of the session's page, if it can be reached from there. */
  page: string | undefined;
}

type Question = SessionView["questions"][number];

/** Messages of the thread that are shown. */
const shownMessages = 4;

/** What a chat shows of a session. */
export function render(session: SessionView, card: Card, context: RenderContext): ChatMessage {
  const head: Part[] = [part("bold", inert(plainLine(whoAsks(session, true)))), ...optional("text", session.title)];
  if (session.status !== "pending") return settled(session, head, context);
  if (session.scheduled !== undefined) return onItsWay(session, card, head, context);
  const question = session.questions[card.step];
  const body = question === undefined ? summary(session, card) : questionParts(session, card, question, context);
  const whole = [...head, ...threadOf(session), ...body.parts, ...ending(session, card, context)];
  const isWhole = lengthOf(whole, context.limits) <= context.limits.text;
  const rows =
    question === undefined
      ? summaryRows(session, card)
      : questionRows(session, card, question, { ...context, isWhole: isWhole && !hasPictures(question) });
  const message = { parts: whole, rows: rows.rows, menu: rows.menu, replyTo: card.replyTo };
  if (isWhole) return message;
  const isDecision = question !== undefined && traitsOf(question).picks === "decision";
  const note = !isDecision
    ? "The attached file has it whole."
    : hasPictures(question)
      ? `${withPictures}: the attached file has its text whole.`
      : "It is too long to be allowed here: the attached file has it whole.";
  return {
    ...message,
    parts: [...cutParts([...head, ...threadOf(session), ...body.parts], context.limits, note.length + 80), part("bold", note)],
    file: { name: isDecision ? "request.txt" : "question.txt", text: `${whole.map(({ text }) => plainOf(text)).join("\n")}\n` },
  };
}

const withPictures = "It can't be allowed here, where its pictures aren't shown";
const hasPictures = (question: Question) => allImages([question]).length > 0;
const part = (as: Part["as"], text: string): Part => ({ as, text });
const optional = (as: Part["as"], text: string | undefined): Part[] => (text === undefined || text === "" ? [] : [part(as, inert(text))]);
/** A file needs no protection from links. */
const plainOf = (text: string) => text.replaceAll("\u2060", "");
const lengthOf = (parts: readonly Part[], { measure }: ChatLimits) => parts.reduce((sum, { text }) => sum + measure(text) + 1, 0);

/** Every part with its share of the room, from the first. `reserved`: for what follows. */
function cutParts(parts: readonly Part[], { text: max, measure }: ChatLimits, reserved = 0): Part[] {
  let left = max - reserved;
  return parts.flatMap((each) => {
    if (left <= 1) return [];
    const text = cutTo(each.text, left, measure);
    left -= measure(text) + 1;
    return [{ ...each, text }];
  });
}

/** The question of a session that has only one: the answer says little without it. */
const askedIn = ({ questions: [first, ...more] }: SessionView): Part[] =>
  more.length === 0 ? optional("text", cut(first?.question ?? "", 300)) : [];

function settled(session: SessionView, head: readonly Part[], { limits }: RenderContext): ChatMessage {
  const { outcome } = session;
  const lines = outcome?.kind === "answered" ? answerLines(session, outcome.answers) : [];
  const said =
    outcome?.kind === "answered" ? commentText(outcome) || undefined : outcome?.kind === "cancelled" ? outcome.reason : undefined;
  const parts = [
    ...head,
    ...askedIn(session),
    part("bold", endingOf(session)),
    ...lines.map((line) => part("text", line)),
    ...optional("text", said),
  ];
  return { parts: cutParts(parts, limits), rows: [] };
}

function onItsWay(session: SessionView, card: Card, head: readonly Part[], { limits }: RenderContext): ChatMessage {
  const { scheduled } = session;
  const lines = answerLines(session, scheduled?.answers ?? []).map((line) => part("text", line));
  const [by, reason] = [scheduled?.by, scheduled?.decline?.reason];
  const ended: DescribedOutcome = scheduled?.decline
    ? { ending: "declined" }
    : describeAnswers(session.questions, scheduled?.answers ?? []);
  const done = outcomeText({ ...ended, ...(by && { by }) }, inert);
  const parts = [
    ...head,
    ...askedIn(session),
    ...lines,
    ...optional("text", reason),
    part("bold", `${done}. This is sent in a few seconds.`),
  ];
  return { parts: cutParts(parts, limits), rows: [[{ id: actionId(card, "undo"), label: "Undo" }]] };
}

/** What was asked back, and the agent's replies. */
function threadOf({ thread = [] }: SessionView): Part[] {
  return thread
    .slice(-shownMessages)
    .map((message) =>
      part("text", `${isReply(message) ? "The agent" : inert(message.by.name ?? "A person")}: ${inert(messageText(message))}`),
    );
}

function ending({ deadlineAt, presence }: SessionView, card: Card, { now }: RenderContext): Part[] {
  return [
    ...(card.comment === undefined ? [] : [part("text", `Your comment: ${inert(card.comment)}`)]),
    ...(presence.asker === "away" ? [part("text", "The agent has left; it gets the answer with its next call.")] : []),
    ...(deadlineAt === null ? [] : [part("text", `Ends at ${timeOfDay(deadlineAt, now)}.`)]),
  ];
}

function summary(session: SessionView, card: Card): { parts: Part[] } {
  const answers = session.questions.map((question) => answerIn(card, question));
  return { parts: [part("bold", "Your answers"), ...answerLines(session, answers).map((line) => part("text", line))] };
}

function summaryRows(session: SessionView, card: Card): Rows {
  const back = { id: actionId(card, "goTo", session.questions.length - 1), label: "‹ Back" };
  return { rows: [[{ id: actionId(card, "send"), label: "Send", look: "good" }, back], ...moreRows(session, card)] };
}

/** Whether the options are listed in the text: where a button could not show all of them. */
function isListed(options: readonly OfferedOption[], { limits }: RenderContext): boolean {
  const isLong = ({ label, description, preview }: OfferedOption) =>
    description !== undefined || preview !== undefined || plainLine(label) !== label || label.length > limits.label;
  return options.length > limits.row && options.some(({ label }) => Number.isNaN(Number(label))) ? true : options.some(isLong);
}

function questionParts(session: SessionView, card: Card, question: Question, context: RenderContext): { parts: Part[] } {
  const { questions } = session;
  const options = offeredOptions(question);
  const { attached, picks, typed } = traitsOf(question);
  const number = questions.length > 1 ? `${card.step + 1} of ${questions.length}: ` : "";
  const list = picks !== "decision" && isListed(options, context);
  const answer = answerIn(card, question);
  const isAny = answer.values.length > 0 || answer.customText !== undefined;
  const chosen = isAny ? answerLines({ questions: [question] }, [{ ...answer, files: undefined }]) : [];
  const { files = [] } = answer;
  const how = howTo(question, { isListed: list, takesWords: takesOther(question) });
  return {
    parts: [
      part("text", `${number}${inert(question.question)}`),
      ...("action" in question ? partsOfAction(question.action, session.asker.machine) : []),
      ...("document" in question ? [part("code", exactText(question.document))] : []),
      ...(list ? options.flatMap(optionParts) : []),
      ...imageLines(question).map((line) => part("text", `${inert(line)}. The inbox shows it.`)),
      ...(picks === "decision" && context.allow && hasPictures(question) ? [part("bold", `${withPictures}.`)] : []),
      ...(typed === undefined && !attached ? [] : [part("text", `Expected: ${inert(expectedAnswer(question))}.`)]),
      ...("suggestion" in question && question.suggestion !== undefined && typed !== undefined
        ? optional("text", `The agent suggests: ${question.suggestion}`)
        : []),
      ...chosen.map((line) => part("bold", `Chosen: ${line}`)),
      ...(files.length === 0 ? [] : [part("bold", attachedLine(files))]),
      ...(how === "" ? [] : [part("text", how)]),
    ],
  };
}

/** The whole action, letter by letter. */
function partsOfAction(action: Action, machine: string | undefined): Part[] {
  const parts = actionParts(action, machine);
  const suspects = [...new Set(parts.flatMap(({ text }) => suspectCharacters(text)))];
  const warning = `This contains characters that are invisible or look like others: ${suspects.join(", ")}`;
  return [
    ...(suspects.length === 0 ? [] : [part("bold", inert(warning))]),
    ...parts.flatMap(({ name, text }) => [part("text", `${actionLabels[name]}:`), part("code", exactText(text))]),
  ];
}

function optionParts({ label, description, preview, recommended }: OfferedOption, index: number): Part[] {
  const line = `${index + 1}. ${inert(label)}${recommended ? " (recommended by the agent)" : ""}`;
  const detail = description === undefined ? "" : `\n    ${inert(description)}`;
  return [part("text", `${line}${detail}`), ...(preview === undefined ? [] : [part("code", exactText(preview))])];
}

interface Rows {
  rows: ChatButton[][];
  menu?: ChatMessage["menu"];
}

function questionRows(session: SessionView, card: Card, question: Question, context: RenderContext & { isWhole: boolean }): Rows {
  const { limits } = context;
  const { picks, typed } = traitsOf(question);
  const isSet = session.questions.length > 1;
  const at = card.step;
  const answers = answerButtons(card, question, context);
  const isMenu = answers.length > limits.buttons && answers.length <= limits.menu;
  const shown = answers.length > limits.buttons ? [] : inRows(answers, limits);
  const own: ChatButton[] = [];
  if (typed !== undefined || takesOther(question))
    own.push({ id: actionId(card, "openAnswer", at), label: typed === undefined ? "In your own words" : "Write the answer" });
  const { values, customText, files } = answerIn(card, question);
  const isAny = values.length > 0 || customText !== undefined;
  if (isAny && picks === "order") own.push({ id: actionId(card, "clear", at), label: "Start over" });
  if (!isSet && (picks === "many" || picks === "order" || files !== undefined))
    own.push({ id: actionId(card, "send"), label: "Send", look: "good" });
  const move: ChatButton[] = [];
  if (isSet && at > 0) move.push({ id: actionId(card, "goTo", at - 1), label: "‹ Back" });
  if (isSet && (picks === "many" || picks === "order" || isAny || files !== undefined))
    move.push({ id: actionId(card, "goTo", at + 1), label: "Next ›" });
  if (!question.required) move.push({ id: actionId(card, "skip", at), label: "Skip" });
  const rows = [...shown, own, move].filter((row) => row.length > 0);
  const page = context.page === undefined ? [] : [[{ id: `${card.id}.open`, label: "Open", link: context.page }]];
  return {
    rows: [...rows, ...page, ...moreRows(session, card)],
    ...(isMenu && { menu: { placeholder: "Choose", options: answers } }),
  };
}

/** A button for each answer, with what it would change written on it. */
function answerButtons(card: Card, question: Question, { allow, isWhole, limits }: RenderContext & { isWhole: boolean }): ChatButton[] {
  const { picks } = traitsOf(question);
  const options = offeredOptions(question);
  const { values } = answerIn(card, question);
  const at = card.step;
  const label = (option: OfferedOption, index: number) => {
    const name = cut(plainLine(option.label), limits.label);
    return isNumbered(options, limits) ? `${index + 1}. ${name}` : name;
  };
  return options.flatMap((option, index): ChatButton[] => {
    const place = values.indexOf(option.value);
    if (picks === "decision") {
      if (option.shortcut === "no") return [{ id: actionId(card, "pick", at, index), label: option.label, look: "bad" }];
      return option.shortcut === "allow" && allow && isWhole
        ? [{ id: actionId(card, "pick", at, index), label: option.label, look: "good" }]
        : [];
    }
    if (picks === "many") {
      const isOn = place >= 0;
      return [{ id: actionId(card, "toggle", at, index, isOn ? 0 : 1), label: `${isOn ? "☑" : "☐"} ${label(option, index)}` }];
    }
    if (picks === "order") {
      if (place >= 0) return [];
      return [{ id: actionId(card, "rank", at, index, values.length), label: `${values.length + 1}: ${label(option, index)}` }];
    }
    return [{ id: actionId(card, "pick", at, index), label: label(option, index) }];
  });
}

/** Labels that are cut could be mistaken for each other. */
const isNumbered = (options: readonly OfferedOption[], { label: max }: ChatLimits) =>
  options.some(({ label }) => label.length > max || plainLine(label) !== label);

/** Short labels share a row. */
function inRows(buttons: readonly ChatButton[], { row }: ChatLimits): ChatButton[][] {
  const longest = Math.max(0, ...buttons.map(({ label }) => label.length));
  const perRow = longest <= 4 ? row : longest <= 14 ? Math.min(row, 3) : 1;
  return Array.from({ length: Math.ceil(buttons.length / perRow) }, (_, index) => buttons.slice(index * perRow, (index + 1) * perRow));
}

/** What else can be done, behind one button. */
function moreRows(session: SessionView, card: Card): ChatButton[][] {
  if (!card.isMenuOpen) return [[{ id: actionId(card, "menu", 1), label: "More…" }]];
  const question = session.questions[card.step];
  const isDecision = question !== undefined && traitsOf(question).picks === "decision";
  return [
    [
      { id: actionId(card, "openAskBack"), label: "Ask back" },
      { id: actionId(card, "openComment"), label: "Comment" },
    ],
    [
      { id: actionId(card, "snooze"), label: "Snooze 1 h" },
      isDecision
        ? { id: actionId(card, "openDenial"), label: "Deny with a reason" }
        : { id: actionId(card, "decline"), label: "Decline", look: "bad" },
      { id: actionId(card, "menu", 0), label: "Less" },
    ],
  ];
}
