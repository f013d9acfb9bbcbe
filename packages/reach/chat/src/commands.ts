import type { Desk, SessionView } from "@askbox/core";
import type { Conversation } from "@askbox/core/clients";
import { cut } from "@askbox/core/questions";
import { timeOfDay } from "@askbox/inbox/text";
import { whoAsks } from "@askbox/notify";
import { plainLine } from "@askbox/terminal-text";
import { inert } from "./plain.ts";
import type { ChatButton, ChatMessage, Part } from "./port.ts";
import { answerLines, endingOf } from "./words.ts";

/** Entries of a list. */
const listed = 10;

// keys: the letters of a regular expression.
const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** What a command is given. */
interface CommandContext {
  desk: Desk;
  now: number;
  /** Identifies what was written, so that it takes effect once. */
  key: string;
  words: string;
  /** What a command begins with there. */
  mark: string;
  /** A button that shows a session here. */
  showButton(session: SessionView, label: string): ChatButton;
  /** The session that the command is about: the one it replies to, or the only one that was posted and is open. */
  about(): Promise<SessionView | undefined>;
  /** The session whose answer this person sent last, if it can still be undone. */
  undoable(): Promise<SessionView | undefined>;
}

export type Command = (context: CommandContext) => Promise<ChatMessage>;

const say = (text: string, ...more: string[]): ChatMessage => ({
  parts: [text, ...more].map((each): Part => ({ as: "text", text: each })),
  rows: [],
});

const headline = ({ title, questions }: SessionView) => inert(cut(plainLine(title ?? questions[0]?.question ?? "A question"), 120));

/** What a person can do. `mark`: what a command begins with. */
const help = (mark: string) =>
  say(
    "askbox asks you here what your agents ask.",
    [
      [`${mark}list`, "what waits"],
      [`${mark}history`, "what was answered"],
      [`${mark}agents`, "who waits, works or has gone"],
      [`${mark}message a_5f0c Use the new API`, "writes to an agent; as a reply to a question, without the id"],
      [`${mark}snooze 2h`, "later, as a reply to a question"],
      [`${mark}undo`, "takes back your last answer for a few seconds"],
    ]
      .map(([command, does]) => `${command}: ${does}`)
      .join("\n"),
    "Press a button, or reply to a question with its answer. Under More… you ask back, comment or decline.",
  );

/** Every command, by its word. */
const commands: Readonly<Record<string, Command>> = {
  start: async ({ mark }) => help(mark),
  help: async ({ mark }) => help(mark),
  async list({ desk, showButton }) {
    const { items, nextCursor } = await desk.list({ statuses: ["pending"], order: "oldest", limit: listed });
    if (items.length === 0) return say("Nothing waits for you.");
    const lines = items.map((session, index) => `${index + 1}. ${inert(plainLine(whoAsks(session, true)))}: ${headline(session)}`);
    const buttons = items.map((session, index) => showButton(session, String(index + 1)));
    return {
      ...say(
        items.length === 1 ? "1 question waits." : `${items.length}${nextCursor === undefined ? "" : " and more"} questions wait.`,
        ...lines,
      ),
      rows: [buttons.slice(0, 5), buttons.slice(5)].filter((row) => row.length > 0),
    };
  },
  async history({ desk, now }) {
    const { items } = await desk.list({ statuses: ["answered", "cancelled", "timed_out"], limit: listed });
    if (items.length === 0) return say("Nothing was answered yet.");
    const lines = items.map((session) => {
      const answers = session.outcome?.kind === "answered" ? ` ${cut(answerLines(session, session.outcome.answers).join("; "), 120)}` : "";
      return `${timeOfDay(session.closedAt ?? session.createdAt, now)} ${headline(session)}: ${endingOf(session)}${answers}`;
    });
    return say("The last questions", ...lines);
  },
  async agents({ desk, now, mark }) {
    const all = await desk.conversations();
    if (all.length === 0) return say("No agent has asked yet.");
    const more = all.length > listed ? [`${all.length - listed} more are in the inbox.`] : [];
    const hint = all.some(({ takesMessages }) => takesMessages) ? [`${mark}message and an id write to one.`] : [];
    return say("Your agents", ...all.slice(0, listed).map((agent) => agentLine(agent, now)), ...more, ...hint);
  },
  async message({ desk, words, about, key, mark }) {
    const [begin = "", id] = /^(a_[0-9a-f]{4,12})(?:\s+|$)/i.exec(words) ?? [];
    const text = words.slice(begin.length);
    const to = id ?? (await about())?.id;
    if (to === undefined || text === "")
      return say(`Name the agent and your message, such as ${mark}message a_5f0c Use the new API; ${mark}agents lists them.`);
    const session = await desk.message(to, text, { idempotencyKey: key });
    const when = session.status === "pending" ? "It gets this now, and its question stays open." : "It gets this with its next call.";
    return say(`Wrote to ${inert(plainLine(whoAsks(session, true)))}. ${when}`);
  },
  async snooze({ desk, now, words, about, mark }) {
    const [, count = "1", unit = "h"] = /^\s*(\d{1,3})\s*(m|h|d)?/i.exec(words) ?? [];
    const length = Number(count) * (units[unit.toLowerCase()] ?? 0);
    if (length < 60_000 || length > 29 * 86_400_000) return say(`Snooze for a time from 1m to 29d, such as ${mark}snooze 2h.`);
    const session = await about();
    if (session === undefined) return say("Reply to the question that you want to snooze.");
    const { snoozedUntil = now } = await desk.snooze(session.id, { until: now + length });
    return say(`Snoozed until ${timeOfDay(snoozedUntil, now)}: ${headline(session)}`);
  },
  async undo({ desk, undoable }) {
    const session = await undoable();
    if (session === undefined) return say("There is nothing to undo: an answer can be undone for a few seconds.");
    await desk.recall(session.id);
    return say(`Undone: ${headline(session)}`);
  },
};

const states = { waiting: "waits for you since", working: "works; last heard of at", gone: "has gone; last heard of at" } as const;

/** Who it is and what it does, and below it its last question. */
function agentLine(agent: Conversation, now: number): string {
  const { id, name, state, since, undelivered, sessions } = agent;
  const who = `${name === undefined ? "" : `${inert(plainLine(name))}, `}${inert(plainLine(whoAsks(agent, true)))}`;
  const mail = undelivered === 0 ? "" : `, ${undelivered} ${undelivered === 1 ? "message" : "messages"} not delivered`;
  const [last] = sessions;
  const below = last === undefined ? "" : `\n    ${inert(cut(plainLine(last.title ?? last.question), 120))}`;
  return `${id} ${who}: ${states[state]} ${timeOfDay(since, now)}${mail}${below}`;
}

/** The command that a text begins with, and what follows; undefined if it is none. `isReply`: only with a mark, since it may be an answer. */
export function commandIn(text: string, isReply: boolean): { command: Command; words: string } | undefined {
  const whole = text.trim();
  const [first = ""] = whole.split(/\s/, 1);
  // Telegram names the bot behind a command in a group.
  const [, mark, name = ""] = /^([/!]?)([a-z]{2,10})$/i.exec(first.split("@", 1)[0] ?? "") ?? [];
  const key = name.toLowerCase();
  if (!Object.hasOwn(commands, key) || (isReply && mark === "")) return undefined;
  const command = commands[key];
  return command && { command, words: whole.slice(first.length).trim() };
}
