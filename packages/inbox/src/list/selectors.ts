import type { Question, SessionView } from "@askbox/core";
import { actionLine, denialOf, searchedText, searchWords, traitsOf } from "@askbox/core/questions";

/** The order of a list: by nearest deadline, or newest first. */
export type SortOrder = "deadline" | "newest";

/** An asker that has been away for longer than this (ms) has left. */
const leftAfter = 120_000;

/** Whether the agent is no longer waiting and has been away for over two minutes. */
export function agentHasLeft({ presence }: SessionView, now: number): boolean {
  return presence.asker === "away" && presence.awaySince !== undefined && now - presence.awaySince > leftAfter;
}

/** Nearest deadline first, then those without one by age; or newest first. */
export function sortSessions(sessions: Iterable<SessionView>, order: SortOrder): SessionView[] {
  const newest = (a: SessionView, b: SessionView) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1);
  const soonest = (a: SessionView, b: SessionView) => {
    const [first, second] = [a.deadlineAt ?? Number.POSITIVE_INFINITY, b.deadlineAt ?? Number.POSITIVE_INFINITY];
    return first === second ? newest(a, b) : first - second;
  };
  return [...sessions].sort(order === "newest" ? newest : soonest);
}

/** A filter for a list of sessions. */
export interface SessionFilter {
  /** Words that must all be found, ignoring case, in what the hub searches, too: title, questions, options, project, branch, machine, agent, client and messages. */
  text?: string | undefined;
  project?: string | undefined;
}

/** The sessions that match the filter, in the same order. */
export function filterSessions(sessions: Iterable<SessionView>, { text = "", project }: SessionFilter): SessionView[] {
  const words = searchWords(text);
  return [...sessions].filter((session) => {
    if (project !== undefined && session.asker.project !== project) return false;
    if (words.length === 0) return true;
    const searched = searchedText(session);
    return words.every((word) => searched.includes(word));
  });
}

/** Whether it is a call that a model has denied already: nobody waits for it, and it stands apart from what waits. */
export const isDenial = (session: Pick<SessionView, "questions">): boolean => denialOf(session) !== undefined;

/** How many sessions wait for a person: all but denials. */
export const waitingIn = (pending: ReadonlyMap<string, SessionView>): number =>
  [...pending.values()].filter((session) => !isDenial(session)).length;

/** Splits sessions into those whose agent can still receive the answer soon, those whose agent has left, and denials, for which none waits. */
export function splitByPresence(
  sessions: Iterable<SessionView>,
  now: number,
): { waiting: SessionView[]; left: SessionView[]; denied: SessionView[] } {
  const split = { waiting: [] as SessionView[], left: [] as SessionView[], denied: [] as SessionView[] };
  for (const session of sessions) split[isDenial(session) ? "denied" : agentHasLeft(session, now) ? "left" : "waiting"].push(session);
  return split;
}

/** The last part of a project's path, on any platform. */
export function folderName(project: string): string {
  const parts = project.split(/[\\/]+/).filter((part) => part !== "");
  return parts.at(-1) ?? project;
}

/** In characters. The whole action is shown below the title. */
const longestTitle = 100;

/** The action that a session asks about, or else its title, or else its first question, on one line. */
export function sessionTitle({ title, questions }: SessionView): string {
  const action = calledTool(questions) ?? actionLine(questions);
  if (action !== undefined)
    return Array.from(action).length > longestTitle
      ? `${Array.from(action)
          .slice(0, longestTitle - 1)
          .join("")}…`
      : action;
  if (title !== undefined && title.trim() !== "") return title;
  return questions[0] === undefined ? "" : questionLine(questions[0]);
}

/** The only action's tool and the agent's words for it, if it has nothing to show but its arguments: `github.create_issue – Create an issue`. */
function calledTool([only, ...more]: readonly Question[]): string | undefined {
  if (only === undefined || more.length > 0 || !("action" in only)) return undefined;
  const { tool, title, command, path, diff, text } = only.action;
  if (tool === undefined || title === undefined || [command, path, diff, text].some((part) => part !== undefined)) return undefined;
  return `${tool} – ${title}`.replace(/\s+/g, " ");
}

/** A question as one line of plain text. */
export function questionLine({ question }: Pick<Question, "question">): string {
  return withoutMarkup(question.replace(/\s+/g, " ").trim());
}

/** A line of markdown as plain text: without the markup of headings, strong text, code and links. */
function withoutMarkup(line: string): string {
  return line
    .replace(/^#{1,6} /, "")
    .replace(/\*\*(?=\S)([^*]{1,200})(?<=\S)\*\*/g, "$1")
    .replace(/`([^`]+)`/g, "$1")
    .replace(/\[([^[\]]{1,200})\]\([^()\s]{1,2000}\)/g, "$1");
}

/** Whether the agent only waits for text. */
export function isPlainAsk({ asker, title, questions }: SessionView): boolean {
  return (
    asker.inlineReply === true ||
    (title === undefined && questions.length === 1 && questions.every((only) => traitsOf(only).typed === "words"))
  );
}

/** How near the end of a question's time is. */
export type Urgency = "soon" | "now";

/** From this much time left on (ms), whatever the question had in all. */
export const urgentFrom = { soon: 120_000, now: 30_000 } as const satisfies Record<Urgency, number>;

/** How near the end of a question's time is, where that is worth to be loud; undefined before, and without a deadline. */
export function urgencyOf({ deadlineAt }: Pick<SessionView, "deadlineAt">, now: number): Urgency | undefined {
  const left = deadlineAt === null ? Number.POSITIVE_INFINITY : deadlineAt - now;
  return left <= urgentFrom.now ? "now" : left <= urgentFrom.soon ? "soon" : undefined;
}
