import { basename } from "node:path";
import type { AskerInfo, SessionView } from "@askbox/core";
import { clientTitle } from "@askbox/core/clients";
import { actionLine } from "@askbox/core/questions";
import { exactText, terminalLine } from "@askbox/terminal-text";

/** The length of ids as shown: unique in any inbox of a realistic size, and the desk rejects ambiguous prefixes. */
const shownIdLength = 8;

export function shortId(id: string): string {
  return terminalLine(id.slice(0, shownIdLength));
}

/** The agent: its client's title, and its agent id if it has one. */
export function askerName(asker: AskerInfo): string {
  const name = terminalLine(clientTitle(asker.client.name)) || "an agent";
  return asker.agentId === undefined ? name : `${name} (${terminalLine(asker.agentId)})`;
}

/** The project's folder name and branch. */
export function projectName(asker: AskerInfo): string {
  const folder = asker.project === undefined ? "" : terminalLine(basename(asker.project) || asker.project);
  return asker.branch === undefined ? folder : `${folder} (${terminalLine(asker.branch)})`.trim();
}

/** What is to be allowed, or else the title, or else the first question, and the number of questions. */
export function headline(session: Pick<SessionView, "title" | "questions">): string {
  const [first] = session.questions;
  const text = exactText(actionLine(session.questions) ?? "") || terminalLine(session.title ?? "") || terminalLine(first?.question ?? "");
  return session.questions.length > 1 ? `${text} (${session.questions.length} questions)` : text;
}

/** The headline's first sentence; an action whole. */
export function firstSentence(session: Pick<SessionView, "title" | "questions">): string {
  const whole = headline(session);
  if (actionLine(session.questions) !== undefined) return whole;
  const end = /[.?!…]["'”’»)]? |[。！？]/u.exec(whole);
  return end === null ? whole : whole.slice(0, end.index + end[0].length).trimEnd();
}
