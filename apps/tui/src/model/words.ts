import type { Actor, Grant, SessionView } from "@askbox/core";
import { type Conversation, clientTitle } from "@askbox/core/clients";
import { isDenied, isReply, reminderLead, traitsOf } from "@askbox/core/questions";
import { clockDuration, coarseDuration, folderName } from "@askbox/inbox";
import { type Grouping, type SessionKind, type SnoozeChoice, snoozedUntil } from "@askbox/inbox/list";
import { actorWords, terminalLine } from "@askbox/terminal-text";
import type { Ending } from "./ui-state.ts";

/** Who and where: `by ada in the browser`. */
export const byWhom = ({ surface, name }: Actor): string => actorWords({ surface, name: name && terminalLine(name) });

/** How sessions can end, as the history's filter names them. */
export const endingNames: Readonly<Record<Ending, string>> = {
  answered: "Answered",
  denied: "Denied",
  cancelled: "Declined or withdrawn",
  timed_out: "Timed out",
};

/** How a settled session ended, as a sentence without a full stop. */
export function outcomeWords(session: SessionView): string {
  const { outcome, status, questions } = session;
  switch (outcome?.kind) {
    case "answered": {
      const isDecided = questions.length === 1 && questions.every((question) => traitsOf(question).picks === "decision");
      return `${isDenied(session) ? "Denied" : isDecided ? "Allowed" : "Answered"} ${byWhom(outcome.by)}`;
    }
    case "cancelled":
      return outcome.by.surface === "asker" ? "Withdrawn by the agent" : `Declined ${byWhom(outcome.by)}`;
    case "timedOut":
      return "Timed out before anybody answered";
    default:
      return status === "pending" ? "Still open" : "Settled";
  }
}

export function timeOfDay(at: number, now: number): string {
  const date = new Date(at);
  const time = `${String(date.getHours()).padStart(2, "0")}:${String(date.getMinutes()).padStart(2, "0")}`;
  if (new Date(now).toDateString() === date.toDateString()) return time;
  return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, "0")}-${String(date.getDate()).padStart(2, "0")} ${time}`;
}

const units = { seconds: "s", minutes: "min", hours: "h", days: "d" } as const;

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

/** `12 s`, `3 min`, `2 h`, `5 d`. */
export function shortDuration(ms: number): string {
  const { unit, count } = coarseDuration(ms);
  return `${count} ${units[unit]}`;
}

/** `1 minute`, `5 hours`. */
export function longDuration(ms: number): string {
  const { unit, count } = coarseDuration(ms);
  return `${count} ${count === 1 ? unit.slice(0, -1) : unit}`;
}

/** The time left until the deadline: `4:05`, `2 h`; `no limit` without one. */
export function timeLeft(deadlineAt: number | null, now: number): string {
  if (deadlineAt === null) return "no limit";
  const left = deadlineAt - now;
  return left > 2 * 3_600_000 ? shortDuration(left) : clockDuration(left);
}

/** Whether it is time to answer; nothing is loud before. */
export const isClose = (session: SessionView, now: number): boolean =>
  session.status === "pending" && session.deadlineAt !== null && session.deadlineAt - now <= reminderLead(session);

/** Project folder and branch: `engine @ main`. */
export function placeOf({ asker }: SessionView): string {
  const folder = asker.project === undefined ? undefined : folderName(asker.project);
  return [folder, asker.branch].filter((part) => part !== undefined).join(" @ ");
}

/** Whether an agent waits for text rather than a choice. */
export function needWords({ asker, status }: SessionView): string {
  return status === "pending" && asker.inlineReply === true ? "needs input" : "";
}

export function presenceWords({ presence, status }: SessionView): string {
  if (status !== "pending") return "";
  if (presence.asker === "attached") return "waiting";
  return presence.asker === "will_ask_again" ? "will ask again" : "agent away";
}

/** Where asking the agent back stands; empty if nothing was asked. */
export function threadWords({ thread = [], status }: SessionView): string {
  const last = thread.at(-1);
  if (last === undefined || status !== "pending") return "";
  return isReply(last) ? "● Replied" : "Asked; waiting for the agent";
}

export function agentOf({ asker }: SessionView): string {
  const title = clientTitle(asker.client.name);
  return asker.agentId === undefined ? title : `${title} (${asker.agentId})`;
}

const kindWords: Readonly<Record<SessionKind, string>> = {
  lines: "Text",
  line: "Short answer",
  date: "Date",
  options: "Choice",
  "yes-no": "Yes or no",
  scale: "Rating",
  order: "Ranking",
  document: "Review",
  files: "Files",
  approval: "Approval",
  notice: "Unknown type",
  several: "Several questions",
};

/** The name of a group of the list. */
export function groupName(by: Grouping, value: string | undefined): string {
  if (value === undefined) return "No project";
  return by === "project" ? folderName(value) : by === "kind" ? kindWords[value as SessionKind] : value;
}

/** A key as hints name it. */
export const shortKey = (key: string): string => ({ "shift+y": "Y", escape: "esc", pagedown: "pgdn", pageup: "pgup" })[key] ?? key;
