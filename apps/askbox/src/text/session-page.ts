import type { Answer, Option, Question, SessionView } from "@askbox/core";
import { terminalLine, terminalText } from "@askbox/terminal-text";
import { answerLines } from "./answer-lines.ts";
import { ago, timeLeft } from "./duration.ts";
import { excerpt, shorten, wrap } from "./layout.ts";
import { outcomeSentence, shownAnswer } from "./outcome-text.ts";
import type { Paint } from "./paint.ts";
import { askerName, headline } from "./session-names.ts";

export interface PageOptions {
  columns: number;
  now: number;
  paint: Paint;
  /** Whether to say how to answer it; default true. */
  howTo?: boolean;
}

/** What the contract does not limit is cut for display; `--json` has it whole. */
const longestDetail = 2_000;

/** Everything there is to read of a session, and how to answer it. */
export function sessionPage(session: SessionView, options: PageOptions): string {
  const { columns, now, paint } = options;
  const state = outcomeSentence(session, now) ?? pendingSentence(session, now);
  const answers = session.outcome?.kind === "answered" ? session.outcome.answers : [];
  const comment = session.outcome?.kind === "answered" ? session.outcome.comment : undefined;
  const blocks = [
    [
      paint("bold", wrap(headline(session), columns, 0)),
      paint("dim", wrap(origin(session, now), columns, 0)),
      wrap(state, columns, 0),
    ].join("\n"),
    ...session.questions.map((question, index) => {
      const number = session.questions.length === 1 ? "" : `${index + 1}. `;
      return questionBlock(question, { number, answer: answers.find(({ questionId }) => questionId === question.id) }, options);
    }),
    ...(comment === undefined ? [] : [`Comment: ${wrap(excerpt(terminalText(comment), longestDetail), columns, 9)}`]),
    ...(session.status === "pending" && options.howTo !== false ? [howToAnswer(session, paint)] : []),
  ];
  return `${blocks.join("\n\n")}\n`;
}

function pendingSentence(session: SessionView, now: number): string {
  const left = session.deadlineAt === null ? "no deadline" : `${timeLeft(session.deadlineAt - now)} left`;
  const { asker } = session.presence;
  const waits = {
    attached: "the agent waits",
    will_ask_again: "the agent will ask again",
    away: "the agent has gone; the answer is kept for it",
  };
  return `Pending, ${left}; ${waits[asker]}.`;
}

function origin({ id, asker, createdAt }: SessionView, now: number): string {
  const version = asker.client.version === undefined ? "" : ` ${terminalLine(asker.client.version)}`;
  const branch = asker.branch === undefined ? "" : ` on ${terminalLine(asker.branch)}`;
  const project = asker.project === undefined ? "" : `, ${terminalLine(asker.project)}${branch}`;
  return `${terminalLine(id)}, from ${excerpt(askerName(asker) + version, 200)}${project}, asked ${ago(createdAt, now)}`;
}

function questionBlock(question: Question, given: { number: string; answer: Answer | undefined }, { columns, paint }: PageOptions): string {
  const indent = Math.max(2, given.number.length);
  const start = " ".repeat(indent);
  const header = question.header === undefined ? "" : `[${shorten(terminalLine(question.header), 40)}] `;
  const lines = [given.number + wrap(header + terminalText(question.question), columns, indent), start + paint("dim", traits(question))];
  if ("options" in question) {
    question.options.forEach((option, index) => {
      lines.push(optionBlock(option, index, { columns, indent, paint, chosen: given.answer?.values.includes(option.value) ?? false }));
    });
  }
  if (given.answer !== undefined) {
    lines.push(`${start}${paint("green", "→")} ${wrap(shownAnswer(question, given.answer), columns, indent + 2)}`);
    if (given.answer.note !== undefined)
      lines.push(`${start}Note: ${wrap(excerpt(terminalText(given.answer.note), longestDetail), columns, indent + 6)}`);
  }
  return lines.join("\n");
}

/** The question's id, type, and what it takes. */
function traits(question: Question): string {
  const kinds = { text: "text", select: "choose one", "multi-select": "choose any", confirm: "yes or no" };
  const parts = [shorten(terminalLine(question.id), 60), kinds[question.type], question.required ? "required" : "may be skipped"];
  if ("allowOther" in question && question.allowOther) parts.push("or your own words");
  if ("placeholder" in question && question.placeholder !== undefined)
    parts.push(`hint: ${shorten(terminalLine(question.placeholder), 60)}`);
  return parts.join(" · ");
}

function optionBlock(option: Option, index: number, at: { columns: number; indent: number; paint: Paint; chosen: boolean }): string {
  const number = `#${index + 1} `;
  const indent = at.indent + number.length + 1;
  const label = shorten(terminalLine(option.label), 200);
  const value = option.value === option.label ? "" : at.paint("dim", ` (${shorten(terminalLine(option.value), 60)})`);
  const recommended = option.recommended ? at.paint("dim", " – recommended by the agent") : "";
  const lines = [`${at.chosen ? at.paint("green", number) : number} ${wrap(label, at.columns, indent)}${value}${recommended}`];
  for (const detail of [option.description, option.preview]) {
    if (detail !== undefined) lines.push(wrap(excerpt(terminalText(detail), longestDetail), at.columns, indent));
  }
  const start = " ".repeat(at.indent);
  return [start + lines[0], ...lines.slice(1).map((line) => " ".repeat(indent) + at.paint("dim", line))].join("\n");
}

function howToAnswer(session: SessionView, paint: Paint): string {
  const lines = answerLines(session).map((line) => `  ${line}`);
  const choices = session.questions.some((question) => "options" in question);
  return [paint("dim", `Settle it with one of these${choices ? " (N is an option's number)" : ""}:`), ...lines].join("\n");
}
