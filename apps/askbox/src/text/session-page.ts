import type { Draft, RegisteredAgent, SessionView } from "@askbox/core";
import { commentText, traitsOf } from "@askbox/core/questions";
import { ago, roundedDuration } from "@askbox/inbox/text";
import { terminalLine, terminalText } from "@askbox/terminal-text";
import { answerLines } from "./answer-lines.ts";
import { draftBlock, earlierAnswerBlock } from "./beside-the-questions.ts";
import { excerpt } from "./excerpt.ts";
import { wrap } from "./layout.ts";
import { byWhom, outcomeSentence } from "./outcome-text.ts";
import type { Paint } from "./paint.ts";
import { maxDetailLength, questionBlock } from "./question-block.ts";
import { hasLeft, resumeLines } from "./resume.ts";
import { askerName, headline, shortId } from "./session-names.ts";
import { threadBlock } from "./thread-block.ts";

export interface PageOptions {
  columns: number;
  now: number;
  paint: Paint;
  /** Whether to say how to answer it; default true. */
  howTo?: boolean;
  /** A draft, if there is one. */
  draft?: Draft | undefined;
  /** The registration of the agent that asks. */
  agent?: RegisteredAgent | undefined;
}

/** The full description of a session, and how to answer it. */
export function sessionPage(session: SessionView, options: PageOptions): string {
  const { columns, now, paint } = options;
  const state = outcomeSentence(session, now) ?? pendingSentence(session, now);
  const settled = session.outcome?.kind === "answered" ? session.outcome : session.reply;
  const { answers = [] } = settled ?? {};
  const comment = commentText(settled ?? {});
  const thread = threadBlock(session, options);
  const blocks = [
    [
      paint("bold", wrap(headline(session), columns, 0)),
      paint("dim", wrap(origin(session, now), columns, 0)),
      ...(isHidden(session) ? [paint("dim", wrap(`The agent's title: ${terminalLine(session.title ?? "")}`, columns, 0))] : []),
      wrap(state, columns, 0),
    ].join("\n"),
    ...session.questions.map((question, index) => {
      const number = session.questions.length === 1 ? "" : `${index + 1}. `;
      return questionBlock(question, { number, answer: answers.find(({ questionId }) => questionId === question.id) }, options);
    }),
    ...(comment === "" ? [] : [`Comment: ${wrap(excerpt(terminalText(comment), maxDetailLength), columns, 9)}`]),
    ...backgroundBlocks(session, options),
    ...(thread === undefined ? [] : [thread]),
    ...(options.draft === undefined ? [] : [draftBlock(session, options.draft, options)]),
    ...(session.earlierAnswer === undefined || session.status !== "pending"
      ? []
      : [earlierAnswerBlock(session, session.earlierAnswer, options)]),
    ...(options.howTo === false ? [] : howToAnswer(session, paint)),
    ...(options.howTo === false || !hasLeft(session) ? [] : [howToResume(session, options)]),
  ];
  return `${blocks.join("\n\n")}\n`;
}

/** What the agent was doing when it asked. */
function backgroundBlocks({ asker: { background = {} } }: SessionView, { columns, paint }: PageOptions): string[] {
  const { said, steps = [], changes } = background;
  const block = (title: string, text: string) => `${paint("dim", title)}\n  ${wrap(text, columns, 2)}`;
  return [
    ...(said === undefined ? [] : [block("It said before it asked:", terminalText(said))]),
    ...(steps.length === 0 ? [] : [block("Its last steps:", steps.map(terminalLine).join("\n"))]),
    ...(changes === undefined ? [] : [block("Changes since the last commit:", terminalText(changes))]),
  ];
}

/** Whether the headline says what is to be allowed instead of the title. */
const isHidden = ({ title, questions }: SessionView): boolean => title !== undefined && questions.some((question) => "action" in question);

function pendingSentence(session: SessionView, now: number): string {
  const left = session.deadlineAt === null ? "no deadline" : `${roundedDuration(session.deadlineAt - now)} left`;
  const { asker, awaySince, openIn } = session.presence;
  const waits = {
    attached: "the agent is waiting",
    will_ask_again: "the agent will ask again",
    away: `the agent left${awaySince === undefined ? "" : ` ${ago(awaySince, now)}`}; the answer is kept for it`,
  };
  const open = openIn.length === 0 ? "" : ` Open ${openIn.map(byWhom).join(", ")}.`;
  return `Pending, ${left}; ${waits[asker]}.${open}`;
}

function origin({ id, asker, createdAt }: SessionView, now: number): string {
  const version = asker.client.version === undefined ? "" : ` ${terminalLine(asker.client.version)}`;
  const branch = asker.branch === undefined ? "" : ` on ${terminalLine(asker.branch)}`;
  const project = asker.project === undefined ? "" : `, ${terminalLine(asker.project)}${branch}`;
  return `${terminalLine(id)}, from ${excerpt(askerName(asker) + version, 200)}${project}, asked ${ago(createdAt, now)}`;
}

function howToAnswer(session: SessionView, paint: Paint): string[] {
  const isOverdue = session.status === "timed_out" && session.reply === undefined;
  if (session.status !== "pending" && !isOverdue) return [];
  // A session that timed out can no longer be cancelled.
  const lines = isOverdue ? answerLines(session).slice(0, -1) : answerLines(session);
  if (lines.length === 0) return [];
  const choices = session.questions.some((question) => "options" in question);
  const what = isOverdue ? "To reply, for the agent's next question, run one of these" : "To settle it, run one of these";
  const settling = [paint("dim", `${what}${choices ? " (N is an option's number)" : ""}:`), ...lines.map((line) => `  ${line}`)];
  const isDecision = session.questions.some((question) => traitsOf(question).picks === "decision");
  // An approval is allowed or denied, with a reason.
  const asking =
    isOverdue || isDecision ? [] : [paint("dim", "To ask the agent something first:"), `  askbox ask-back ${shortId(session.id)} TEXT`];
  return [[...settling, ...asking].join("\n")];
}

function howToResume(session: SessionView, { agent, columns, paint }: PageOptions): string {
  const [sentence = "", line] = resumeLines(session, agent);
  return [paint("dim", wrap(sentence, columns, 0)), ...(line === undefined ? [] : [`  ${line}`])].join("\n");
}
