/**
 * A session but for its form: title, time and steps above it; what the agent was doing, and the thread with it below; and a settled session with
 * its outcome and its answers.
 */
import type { Answer, SessionView } from "@askbox/core";
import { clientTitle } from "@askbox/core/clients";
import { aboutNumber, answerText, bytesText, commentText, cut, isDenied, isReply } from "@askbox/core/questions";
import { type FormState, isAnswered, questionLine, sessionTitle } from "@askbox/inbox";
import { isAwaited } from "@askbox/inbox/describe";
import { deliveryText, outlookText, timeLeft, timeOfDay } from "@askbox/inbox/text";
import { terminalLine, terminalText } from "@askbox/terminal-text";
import { blocksOf, richRows } from "../markdown/rich-text.ts";
import { documentOfQuestion } from "../model/document.ts";
import { fieldOf, questionOf } from "../model/form-items.ts";
import type { UiState } from "../model/ui-state.ts";
import { agentOf, byWhom, needWords, outcomeWords, placeOf, presenceWords, timeStyle } from "../model/words.ts";
import { emptyRow, line, prefixed, type Row, type Span, span, splitLine, wrap } from "../text/row.ts";
import { actionRows, denialRows } from "./action-rows.ts";
import { type Body, BodyBuilder } from "./body.ts";
import { documentLayout } from "./document-rows.ts";

/** The head of a form: title and time, who asks from where, and the steps. */
export function sessionHead(session: SessionView, state: FormState | undefined, now: number, width: number): Row[] {
  const question = state === undefined || state.phase === "settled" ? undefined : questionOf(state);
  const title = sessionTitle(session);
  const left = session.status === "pending" ? [span(timeLeft(session.deadlineAt, now), timeStyle(session, now))] : [];
  const open = session.presence.openIn.length > 1 ? "open elsewhere too" : "";
  const facts = [
    needWords(session) && `agent ${needWords(session)}`,
    // Which machine it is decides more than who asks, and isn't what is cut.
    ...(session.asker.machine === undefined ? [agentOf(session), placeOf(session)] : [placeOf(session), agentOf(session)]),
    presenceWords(session),
    open,
  ].filter((part) => part !== "");
  const rest = [span(facts.join(" · "), "dim")];
  // What only repeats the question right below it is left out.
  const isRepeated = question !== undefined && !("action" in question) && title === questionLine(question);
  const head = isRepeated ? [splitLine(rest, left, width)] : [splitLine([span(title, "heading")], left, width), line(rest, width)];
  return state === undefined || state.steps === 1 || state.phase === "settled" ? head : [...head, stepsRow(state, width)];
}

/** How the agent will get the outcome, and how to resume it if it has gone. */
export function outlookRows(session: SessionView, outlook: UiState["outlook"], width: number): Row[] {
  if (outlook?.session !== session.id || !isAwaited(session)) return [];
  const { told } = outlook;
  // What waits, or comes back by itself, needs no words.
  if (told.next === "waits" || (told.next === "next_call" && told.client !== "gone")) return [];
  const says = wrap([span(outlookText(told, session, terminalLine(clientTitle(session.asker.client.name))), "accent")], width);
  if (told.next === "continues" || told.next === "resumes" || told.resume === undefined) return says;
  return [...says, ...wrap([span(`  ${terminalLine(told.resume.command)}`, "dim")], width)];
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
        ? wrap([span(`${message.unasked ? "" : "The agent has left. "}It gets this when it comes back.`, "warning")], width, {
            first: [span("  ")],
          })
        : []),
      emptyRow,
    ];
  });
}

interface SettledView {
  session: SessionView;
  /** What was written here and not sent. */
  unsent: string | undefined;
  now: number;
  width: number;
  plain: boolean;
  /** The key that copies it. */
  copyKey: string;
}

/** A settled session: who settled it, where and how, and what was asked. */
export function settledBody({ session, unsent, now, width, plain, copyKey }: SettledView): Body {
  const builder = new BodyBuilder();
  const { outcome, reply, closedAt } = session;
  const delivery = session.status === "pending" ? undefined : deliveryText(session, terminalLine);
  const tone = isDenied(session) ? "error" : outcome?.kind === "answered" ? "success" : "warning";
  const at = closedAt === null ? "" : `, ${timeOfDay(closedAt, now)}`;
  builder.add(wrap([span(`${outcomeWords(session)}${at}.`, tone, { strong: true })], width));
  if (outcome?.kind === "cancelled" && outcome.reason !== undefined)
    builder.add(wrap([span("Reason: ", "dim"), span(outcome.reason)], width));
  if (delivery !== undefined) builder.add(wrap([span(delivery, "dim")], width));
  builder.add([emptyRow]).add(unsentRows(unsent, copyKey, width));
  const answers = reply?.answers ?? (outcome?.kind === "answered" ? outcome.answers : []);
  if (reply !== undefined)
    builder.add(wrap([span(`Reply ${byWhom(reply.by)}, ${timeOfDay(reply.at, now)}`, "dim")], width)).add([emptyRow]);
  for (const question of session.questions) {
    builder.add(richRows(question.question, width, plain));
    const document = "document" in question ? documentOfQuestion(question, blocksOf) : undefined;
    if (document !== undefined) builder.addDocument(documentLayout(document, { width, plain }));
    if ("action" in question)
      builder.addAction([
        ...denialRows(question.denial, { width, isOpen: false }),
        ...actionRows(question.action, session.asker.machine, width, plain),
      ]);
    builder.add(answerRows(session, answers, question.id, width)).add([emptyRow]);
  }
  if (session.replacedBy !== undefined) builder.add(wrap([span("The agent has asked something else instead.", "accent")], width));
  const comment = commentText(reply ?? (outcome?.kind === "answered" ? outcome : {}));
  if (comment !== "") builder.add(wrap([span("Comment: ", "dim"), span(comment)], width)).add([emptyRow]);
  return builder.addThread(threadRows(session, now, width, plain)).body;
}

function answerRows(session: SessionView, answers: readonly Answer[], questionId: string, width: number): Row[] {
  const question = session.questions.find(({ id }) => id === questionId);
  const answer = answers.find((each) => each.questionId === questionId);
  if (question === undefined || answer === undefined) return [];
  const text = answerText(question, answer);
  const first = [span("→ ", "accent")];
  const rows = wrap([text === "" ? span("skipped", "dim") : span(text, undefined, { strong: true })], width, { first });
  return answer.note === undefined ? rows : [...rows, ...wrap([span(`Note: ${answer.note}`, "dim")], width, { first: [span("  ")] })];
}

function unsentRows(text: string | undefined, copyKey: string, width: number): Row[] {
  if (text === undefined) return [];
  const title = [span("What you wrote here was not sent. ", "warning"), span(`${copyKey} copies it:`, "dim")];
  return [...wrap(title, width), ...prefixed(wrap([span(text)], width - 2), span("│ ", "warning")), emptyRow];
}
