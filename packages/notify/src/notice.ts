import type { SessionView } from "@askbox/core";
import { clientTitle } from "@askbox/core/clients";
import { actionLine, allImages, isReply, messageText, shownImages } from "@askbox/core/questions";
import { plainLine, shorten } from "@askbox/terminal-text";
import type { HandedButtons } from "./channels/channel.ts";
import type { NotifyEvent } from "./event.ts";

/** Lengths in characters: what notifications show without truncating it. */
const longest = { agent: 40, project: 40, branch: 40, question: 140, said: 140, message: 300, picture: 40 };
/** How many sessions of a batch, or pictures of a session, are named; the others are only counted. */
const named = 3;

/** The text of a notification. Plain text: each notifier escapes it. */
export interface Notice {
  /** One line with agent, project and branch; begins with `askbox`. */
  title: string;
  /** The title and the first question of one session, a line for each of several, or only the number of questions. */
  body: string;
}

/** `showText`: whether titles and questions may be shown where anybody can read them. `sessions` has at least one. */
export function noticeOf(sessions: readonly SessionView[], { showText }: { showText: boolean }): Notice {
  const askers = [...new Set(sessions.map((session) => whoAsks(session, showText)))];
  const [first = "an agent", ...others] = askers;
  const title = `askbox: ${first}${others.length === 0 ? "" : ` and ${others.length} more`}`;
  if (!showText) return { title, body: countOf(sessions) };
  if (sessions.length === 1) return { title, body: sessions.map(inFull).join("") };
  const lines = sessions.slice(0, named).map((session) => `• ${headline(session)}`);
  if (sessions.length > named) lines.push(`and ${sessions.length - named} more`);
  return { title, body: lines.join("\n") };
}

/** A session's outcome. */
const endings = { pending: "Waiting", answered: "Answered", cancelled: "Declined", timed_out: "Nobody answered in time" } as const;

/** One event: a question, a message of its thread, or its outcome. */
export function eventNotice({ type, session, message, isLate }: NotifyEvent, { showText }: { showText: boolean }): Notice {
  const { title, body } = noticeOf([session], { showText });
  if (message === undefined && type === "session.opened") return { title, body };
  if (message === undefined) {
    const by = session.outcome?.by.name;
    const who = by === undefined || session.outcome?.by.surface === "grant" ? "" : ` by ${shorten(plainLine(by), longest.agent)}`;
    const ending = `${isLate ? "Your press came too late. " : ""}${endings[session.status]}${who}`;
    return { title, body: showText ? `${ending}: ${headline(session)}` : `${ending}.` };
  }
  const what = isReply(message) ? "The agent has replied" : "The agent was asked back";
  return { title, body: showText ? `${what}: ${shorten(plainLine(messageText(message)), longest.message)}` : `${what}.` };
}

/** The whole question, after what the agent replied; what can't be shown whole is announced as without buttons. */
export function withWhole(body: string, { message, session }: NotifyEvent, { whole, file }: HandedButtons): string {
  if (whole === undefined) {
    const hasPictures = allImages(session.questions).length > 0;
    const why = hasPictures ? "It can't be allowed here, where its pictures aren't shown" : "It is too long to be allowed here";
    return `${body}\n${why}${file === undefined ? "" : `: the attached file has ${hasPictures ? "its text" : "it"} whole`}.`;
  }
  return message === undefined ? whole : `${body}\n${whole}`;
}

export function agentName(session: Pick<SessionView, "asker">): string {
  return nameOf(session.asker.client.name);
}

const nameOf = (name: string): string => shorten(plainLine(name), longest.agent) || "an agent";

/** The last segment of the project's path, which may be a POSIX or a Windows path. */
function projectName(session: Pick<SessionView, "asker">): string {
  const folder = (session.asker.project ?? "").split(/[\\/]/).findLast((part) => part !== "");
  return shorten(plainLine(folder ?? ""), longest.project);
}

/** Agent, project and, where texts may be shown, branch: `Claude Code in engine (main)`. */
export function whoAsks(session: Pick<SessionView, "asker">, showBranch: boolean): string {
  const project = projectName(session);
  const branch = showBranch ? shorten(plainLine(session.asker.branch ?? ""), longest.branch) : "";
  return `${nameOf(clientTitle(session.asker.client.name))}${project === "" ? "" : ` in ${project}`}${branch === "" ? "" : ` (${branch})`}`;
}

/** The headline, under a title the first question, the names of the pictures, and what the agent said before. */
function inFull(session: SessionView): string {
  const line = headline(session);
  const question = shorten(plainLine(session.questions[0]?.question ?? ""), longest.question);
  const said = shorten(plainLine(session.asker.background?.said ?? ""), longest.said);
  const asked = question === "" || line.startsWith(question) ? "" : question;
  return [line, asked, picturesOf(session), said === "" ? "" : `Before: ${said}`].filter((part) => part !== "").join("\n");
}

/** `2 pictures: a.png, b.png`; empty for none. */
function picturesOf({ questions }: SessionView): string {
  const names = questions.flatMap(shownImages).map(({ image }) => shorten(plainLine(image.name), longest.picture));
  const more = names.length > named ? [`and ${names.length - named} more`] : [];
  return names.length === 0
    ? ""
    : `${names.length === 1 ? "1 picture" : `${names.length} pictures`}: ${[...names.slice(0, named), ...more].join(", ")}`;
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
