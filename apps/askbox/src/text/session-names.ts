import type { AskerInfo, SessionView } from "@askbox/core";
import { actionLine } from "@askbox/core/questions";
import { describe, describeAsker } from "@askbox/inbox/describe";
import { agentText, headlineText, projectText } from "@askbox/inbox/text";
import { exactText, terminalLine } from "@askbox/terminal-text";

/** The length of ids as shown: unique in any inbox of a realistic size, and the desk rejects ambiguous prefixes. */
const shownIdLength = 8;

export function shortId(id: string): string {
  return terminalLine(id.slice(0, shownIdLength));
}

/** The agent: its client's title, and its agent id if it has one. */
export const askerName = (asker: AskerInfo): string => agentText(describeAsker(asker), terminalLine);

/** The project's folder name and branch. */
export const projectName = (asker: AskerInfo): string => projectText(describeAsker(asker), terminalLine);

/** What is to be allowed, or else the title, or else the first question, and the number of questions. */
export const headline = (session: SessionView): string => headlineText(describe(session).what, { exact: exactText, clean: terminalLine });

/** The headline's first sentence; an action whole. */
export function firstSentence(session: SessionView): string {
  const whole = headline(session);
  if (actionLine(session.questions) !== undefined) return whole;
  const end = /[.?!…]["'”’»)]? |[。！？]/u.exec(whole);
  return end === null ? whole : whole.slice(0, end.index + end[0].length).trimEnd();
}
