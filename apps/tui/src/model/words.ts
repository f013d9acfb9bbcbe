import type { Actor, Grant, SessionView } from "@askbox/core";
import { type Conversation, clientTitle, type Outlook } from "@askbox/core/clients";
import { answerText } from "@askbox/core/questions";
import { folderName } from "@askbox/inbox";
import { describeAsker, describeOutcome, describeThread } from "@askbox/inbox/describe";
import { type Grouping, isDenial, readPlace, type SessionKind, type SnoozeChoice, snoozedUntil, urgencyOf } from "@askbox/inbox/list";
import {
  actorText,
  agentText,
  endingText,
  kindNames,
  longDuration,
  outcomeTextOf,
  outlookText,
  presenceNames,
  projectText,
  threadNames,
  timeOfDay,
} from "@askbox/inbox/text";
import { terminalLine } from "@askbox/terminal-text";

/** Who and where: `by ada in the browser`. */
export const byWhom = (by: Actor): string => actorText(by, terminalLine);

/** How an agent that no longer waits gets what is sent to it. */
export function arrivalWords(session: SessionView, outlook: Outlook | undefined): string {
  if (outlook === undefined || outlook.next === "start") return "The agent gets it when it comes back.";
  return outlookText(outlook, session, terminalLine(clientTitle(session.asker.client.name)));
}

/** How a session ended, as a sentence without a full stop. */
export const outcomeWords = (session: SessionView): string => outcomeTextOf(session, terminalLine);

/** The answers of a session, or else how it ended and what was said with that. */
export function answerWords(session: SessionView): string {
  const { outcome, questions } = session;
  const described = describeOutcome(session);
  if (outcome?.kind !== "answered" || described.ending !== "answered")
    return [endingText(described), described.words].filter((part) => part !== undefined).join(": ");
  const texts = questions.flatMap((question) => {
    const answer = outcome.answers.find(({ questionId }) => questionId === question.id);
    return answer === undefined ? [] : answerText(question, answer);
  });
  return texts.filter((text) => text !== "").join(" · ") || "Skipped";
}

/** `Snoozed until 14:05`; empty if the session isn't snoozed. */
export function snoozeWords(session: SessionView, now: number): string {
  const until = snoozedUntil(session, now);
  return until === undefined ? "" : `Snoozed until ${timeOfDay(until, now)}`;
}

/** For how long, or until when, a question can be snoozed. */
export function snoozeTime({ as, until }: SnoozeChoice, now: number): string {
  if (as === "until") return `until tomorrow ${timeOfDay(until, until)}`;
  return `${as === "end" ? "until shortly before its deadline, " : ""}for ${longDuration(until - now)}`;
}

export const agentStates: Readonly<Record<Conversation["state"], string>> = { waiting: "waits for you", working: "works", gone: "gone" };

/** What a grant allows. */
export const grantText = ({ match, shown }: Pick<Grant, "match" | "shown">): string =>
  match.type === "prefix" ? `any command that begins with ${match.prefix}` : shown;

/** Where a grant is for: `engine on build-7`. */
export const grantPlace = ({ project, machine }: Pick<Grant, "project" | "machine">): string =>
  projectText({ folder: folderName(project), machine }, asGiven);

/** How loud the time left is. */
export function timeStyle(session: SessionView, now: number): "dim" | "warning" | "error" {
  const urgency = session.status === "pending" ? urgencyOf(session, now) : undefined;
  return urgency === undefined ? "dim" : urgency === "soon" ? "warning" : "error";
}

/** Project folder, branch and machine: `engine (main) on build-7`. */
export const placeOf = ({ asker }: Pick<SessionView, "asker">): string => projectText(describeAsker(asker), asGiven);

/** Whether an agent waits for text rather than a choice. */
export function needWords({ asker, status }: SessionView): string {
  return status === "pending" && asker.inlineReply === true ? "needs input" : "";
}

/** Where asking the agent back stands; empty if nothing was asked. */
export function threadWords(session: SessionView): string {
  const thread = describeThread(session);
  return thread === undefined ? "" : threadNames[thread];
}

/** Where the agent is; empty once it is over. */
/** Nobody waits for a denial to be overruled. */
export const presenceWords = (session: SessionView): string =>
  session.status === "pending" && !isDenial(session) ? presenceNames[session.presence.asker] : "";

export const agentOf = ({ asker }: SessionView): string => agentText(describeAsker(asker), asGiven);

/** Rows are made safe for the terminal when they are drawn. */
const asGiven = (text: string): string => text;

/** The name of a group of the list. */
export function groupName(by: Grouping, value: string | undefined): string {
  if (value === undefined) return by === "machine" ? "The hub's machine" : `No ${by}`;
  return by === "project" ? projectText(readPlace(value), asGiven) : by === "kind" ? kindNames[value as SessionKind] : value;
}

/** A sentence with its end: a title may bring its own. */
export const ended = (sentence: string): string => (/[.!?…。！？]$/.test(sentence) ? sentence : `${sentence}.`);

/** A key as hints name it. */
export const shortKey = (key: string): string => ({ "shift+y": "Y", escape: "esc", pagedown: "pgdn", pageup: "pgup" })[key] ?? key;
