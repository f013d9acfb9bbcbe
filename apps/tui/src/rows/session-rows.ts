/** The parts of a session around its questions: title, time and steps; what the agent was doing; and the thread with it. */
import type { SessionView } from "@askbox/core";
import { clientTitle } from "@askbox/core/clients";
import { aboutNumber, bytesText, cut, isReply } from "@askbox/core/questions";
import { type FormState, isAnswered, sessionTitle } from "@askbox/inbox";
import { timeLeft, timeOfDay } from "@askbox/inbox/text";
import { terminalLine, terminalText } from "@askbox/terminal-text";
import { richRows } from "../markdown/rich-text.ts";
import { fieldOf } from "../model/form-items.ts";
import { agentOf, byWhom, isClose, needWords, placeOf, presenceWords } from "../model/words.ts";
import { emptyRow, line, prefixed, type Row, type Span, span, splitLine, wrap } from "../text/row.ts";

/** The head of a form: title and time, who asks from where, and the steps. */
export function sessionHead(session: SessionView, state: FormState | undefined, now: number, width: number): Row[] {
  const title = span(sessionTitle(session), "heading");
  const left = session.status === "pending" ? [span(timeLeft(session.deadlineAt, now), isClose(session, now) ? "error" : "dim")] : [];
  const open = session.presence.openIn.length > 1 ? "open elsewhere too" : "";
  const facts = [
    needWords(session) && `agent ${needWords(session)}`,
    agentOf(session),
    placeOf(session),
    presenceWords(session),
    open,
  ].filter((part) => part !== "");
  const head = [splitLine([title], left, width), line([span(facts.join(" · "), "dim")], width)];
  return state === undefined || state.steps === 1 || state.phase === "settled" ? head : [...head, stepsRow(state, width)];
}

/** `✓1 Name  ›2 Database   3   Review`, with labels if there is room for them. */
function stepsRow(state: FormState, width: number): Row {
  const { session, step, progress } = state;
  const steps = session.questions.map((question, index): Span[] => {
    const done = isAnswered(question, fieldOf(state, question));
    const mark = index === step ? "›" : done ? "✓" : " ";
    const chip = width >= 60 && question.header !== undefined ? ` ${cut(question.header, 14, "")}` : "";
    return [span(`${mark}${index + 1}${chip} `, index === step ? "selection" : done ? "success" : "dim")];
  });
  const isReview = step >= session.questions.length;
  const review = span(`${isReview ? "›" : " "}Review`, isReview ? "selection" : "dim");
  return splitLine([...steps.flat(), review], [span(`${progress.answered}/${progress.total}`, "dim")], width);
}

/** That it is known what the agent was doing, in one line; the reader has all of it. */
export function backgroundLine({ asker: { background } }: SessionView, width: number): Row[] {
  const { said, steps, changes } = background ?? {};
  const first = said ?? steps?.at(-1) ?? changes?.trim().split("\n").at(-1);
  if (first === undefined) return [];
  return [emptyRow, line([span("Before it asked: ", "dim"), span(terminalLine(first), "dim")], width)];
}

/** What the agent was doing when it asked. */
export function backgroundRows({ asker: { background = {} } }: SessionView, width: number, plain: boolean): Row[] {
  const { said, steps = [], changes } = background;
  const heading = (words: string) => [emptyRow, line([span(words, "heading")], width)];
  const texts = (all: readonly string[]) =>
    prefixed(
      all.flatMap((text) => wrap([span(text)], width - 2)),
      span("  "),
    );
  return [
    ...(said === undefined ? [] : [...heading("It said before it asked"), ...prefixed(richRows(said, width - 2, plain), span("  "))]),
    ...(steps.length === 0 ? [] : [...heading("Its last steps"), ...texts(steps.map(terminalLine))]),
    ...(changes === undefined ? [] : [...heading("Changes since the last commit"), ...texts(terminalText(changes).split("\n"))]),
  ];
}

/** The thread with the agent: the rows of each message, with who wrote it and when. */
export function threadRows(
  { thread = [], asker, presence, questions, status }: SessionView,
  now: number,
  width: number,
  plain: boolean,
): Row[][] {
  return thread.map((message) => {
    const number = aboutNumber(questions, message);
    const about = number === 0 ? "" : `, about question ${number}`;
    const isFromAgent = isReply(message);
    const who = isFromAgent
      ? `${terminalLine(clientTitle(asker.client.name))} replied`
      : `${message.unasked ? "Message" : "Asked back"} (${byWhom(message.by)})${about}`;
    const isWaiting =
      !isFromAgent && message.deliveredAt === undefined && (message.unasked || (status === "pending" && presence.asker === "away"));
    return [
      ...wrap([span(who, "heading"), span(`, ${timeOfDay(message.at, now)}`, "dim")], width),
      ...prefixed(richRows(message.text, width - 2, plain), span("  ")),
      ...(message.files ?? []).flatMap(({ name, size }) => wrap([span(`  ${terminalLine(name)} `), span(bytesText(size), "dim")], width)),
      ...(isWaiting
        ? wrap([span(`${message.unasked ? "" : "The agent has left. "}It gets this with its next call.`, "warning")], width, {
            first: [span("  ")],
          })
        : []),
      emptyRow,
    ];
  });
}
