import type { SessionView } from "@askbox/core";
import { actionLine, isReply } from "@askbox/core/questions";
import { plainLine, shorten } from "@askbox/terminal-text";
import type { NotifyEvent } from "./event.ts";

/** Lengths in characters: what notifications show without truncating it. */
const longest = { agent: 40, project: 40, question: 140, message: 300 };
/** How many sessions of a batch are named; the others are only counted. */
const named = 3;

/** The text of a notification. Plain text: each notifier escapes it. */
export interface Notice {
  /** One line with agent and project; begins with `askbox`. */
  title: string;
  /** A line for each session, or only the number of questions. */
  body: string;
}

/** `showText`: whether titles and questions may be shown where anybody can read them. `sessions` has at least one. */
export function noticeOf(sessions: readonly SessionView[], { showText }: { showText: boolean }): Notice {
  const askers = [...new Set(sessions.map(whoAsks))];
  const [first = "an agent", ...others] = askers;
  const title = `askbox: ${first}${others.length === 0 ? "" : ` and ${others.length} more`}`;
  if (!showText) return { title, body: countOf(sessions) };
  if (sessions.length === 1) return { title, body: sessions.map(headline).join("") };
  const lines = sessions.slice(0, named).map((session) => `• ${headline(session)}`);
  if (sessions.length > named) lines.push(`and ${sessions.length - named} more`);
  return { title, body: lines.join("\n") };
}

/** A session's outcome. */
const endings = { pending: "Waiting", answered: "Answered", cancelled: "Declined", timed_out: "Nobody answered in time" } as const;

/** One event: a question, a message of its thread, or its outcome. */
export function eventNotice({ type, session, message }: NotifyEvent, { showText }: { showText: boolean }): Notice {
  const { title, body } = noticeOf([session], { showText });
  if (message === undefined && type === "session.opened") return { title, body };
  const ending = endings[session.status];
  const what = message === undefined ? ending : isReply(message) ? "The agent has replied" : "The agent was asked back";
  const text = message === undefined ? body : shorten(plainLine(message.text), longest.message);
  return { title, body: showText ? `${what}: ${text}` : `${what}.` };
}

export function agentName(session: Pick<SessionView, "asker">): string {
  return shorten(plainLine(session.asker.client.name), longest.agent) || "an agent";
}

/** The last segment of the project's path, which may be a POSIX or a Windows path. */
function projectName(session: SessionView): string {
  const folder = (session.asker.project ?? "").split(/[\\/]/).findLast((part) => part !== "");
  return shorten(plainLine(folder ?? ""), longest.project);
}

function whoAsks(session: SessionView): string {
  const project = projectName(session);
  return project === "" ? agentName(session) : `${agentName(session)} in ${project}`;
}

function headline(session: SessionView): string {
  const text =
    plainLine(actionLine(session.questions) ?? session.title ?? "") || plainLine(session.questions[0]?.question ?? "") || "A question";
  const count = session.questions.length > 1 ? ` (${session.questions.length} questions)` : "";
  return `${shorten(text, longest.question)}${count}`;
}

function countOf(sessions: readonly SessionView[]): string {
  const questions = sessions.reduce((sum, session) => sum + session.questions.length, 0);
  return questions === 1 ? "1 question is waiting." : `${questions} questions are waiting.`;
}
