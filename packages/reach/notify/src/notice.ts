import type { SessionView } from "@askbox/core";
import { actionLine, allImages, denialOf, isReply, messageText, shownImages } from "@askbox/core/questions";
import { describe, describeAsker } from "@askbox/inbox/describe";
import { headlineText, machineText, outcomeTextOf } from "@askbox/inbox/text";
import { plainLine, shorten } from "@askbox/terminal-text";
import type { HandedButtons } from "./channels/channel.ts";
import type { NotifyEvent } from "./event.ts";

/** Lengths in characters: what notifications show without truncating it. */
const longest = { agent: 40, project: 40, branch: 40, machine: 60, question: 140, said: 140, message: 300, picture: 40 };
/** How many sessions of a batch, or pictures of a session, are named; the others are only counted. */
const named = 3;

/** The text of a notification. Plain text: each notifier escapes it. */
export interface Notice {
  /** One line with agent, project, branch and machine; begins with `askbox`. */
  title: string;
  /** The title and the first question of one session, a line for each of several, or only the number of questions. */
  body: string;
}

/** `showText`: whether titles and questions may be shown where anybody can read them. `sessions` has at least one. */
export function noticeOf(sessions: readonly SessionView[], { showText }: { showText: boolean }): Notice {
  const askers = [...new Set(sessions.map((session) => whoAsks(session, showText)))];
  const [newest] = sessions;
  if (newest !== undefined && denialOf(newest) !== undefined) return denialNotice(newest, sessions.length, showText);
  const [first = "an agent", ...others] = askers;
  const title = `askbox: ${first}${others.length === 0 ? "" : ` and ${others.length} more`}`;
  if (!showText) return { title, body: countOf(sessions) };
  if (sessions.length === 1) return { title, body: sessions.map(inFull).join("") };
  const lines = sessions.slice(0, named).map((session) => `• ${headline(session)}`);
  if (sessions.length > named) lines.push(`and ${sessions.length - named} more`);
  return { title, body: lines.join("\n") };
}

/** What models have denied: how many calls, and the newest one's agent and action, without the agent's own words. */
function denialNotice(newest: SessionView, count: number, showText: boolean): Notice {
  const title = `askbox: ${count === 1 ? "1 call was" : `${count} calls were`} denied by a model`;
  const action = showText ? shorten(plainLine(actionLine(newest.questions) ?? ""), longest.question) : "";
  const asker = whoAsks(newest, showText);
  return { title, body: `${count === 1 ? "" : "The newest: "}${asker}${action === "" ? "" : `: ${action}`}` };
}

/** One event: a question, a message of its thread, its outcome, or what models have denied. */
export function eventNotice(event: NotifyEvent, { showText }: { showText: boolean }): Notice {
  const { type, session, message, isLate, denials } = event;
  if (denials !== undefined) {
    const { title, body } = denialNotice(session, denials, showText);
    return { title, body: `${body}\nLook at ${denials === 1 ? "it" : "them"} in the inbox.` };
  }
  const { title, body } = noticeOf([session], { showText });
  if (message === undefined && type === "session.opened") return { title, body };
  if (message === undefined) {
    const ending = `${isLate ? "Your press came too late. " : ""}${outcomeTextOf(session, (name) => shorten(plainLine(name), longest.agent))}`;
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

/** Agent, project, machine and, where texts may be shown, branch: `Claude Code in engine (main) on build-7`. */
export function whoAsks({ asker }: Pick<SessionView, "asker">, showBranch: boolean): string {
  const { agent, folder = "", branch = "", machine } = describeAsker(asker);
  const [project, shown] = [shorten(plainLine(folder), longest.project), showBranch ? shorten(plainLine(branch), longest.branch) : ""];
  const on = machine === undefined ? "" : ` ${machineText(machine, (name) => shorten(plainLine(name), longest.machine))}`;
  return `${nameOf(agent)}${project === "" ? "" : ` in ${project}`}${shown === "" ? "" : ` (${shown})`}${on}`;
}

/** The headline, under a title the first question, the names of the pictures, and what the agent said before. */
function inFull(session: SessionView): string {
  const line = headline(session);
  const question = shorten(plainLine(describe(session).what.question), longest.question);
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
  const clean = (text: string) => shorten(plainLine(text), longest.question);
  return headlineText(describe(session).what, { exact: clean, clean }) || "A question";
}

function countOf(sessions: readonly SessionView[]): string {
  const questions = sessions.reduce((sum, session) => sum + session.questions.length, 0);
  return questions === 1 ? "1 question is waiting." : `${questions} questions are waiting.`;
}
