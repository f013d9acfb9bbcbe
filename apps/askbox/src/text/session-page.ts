import type { Answer, Draft, EarlierAnswer, Question, RegisteredAgent, SessionView } from "@askbox/core";
import { clientTitle, type Outlook, type Resume, resumeOf, shellWord } from "@askbox/core/clients";
import {
  aboutNumber,
  commentText,
  cut,
  denialOf,
  expectedAnswer,
  imageLines,
  isReply,
  isSkipped,
  messageText,
  type Option,
  own,
  takesOther,
  traitsOf,
} from "@askbox/core/questions";
import { isAwaited } from "@askbox/inbox/describe";
import { ago, denialPhrases, denialText, machineText, outlookText, roundedDuration } from "@askbox/inbox/text";
import { exactText, terminalLine, terminalText } from "@askbox/terminal-text";
import { actionLines, documentBlock } from "./action-lines.ts";
import { answerLines } from "./answer-lines.ts";
import { shorten, wrap } from "./layout.ts";
import { answersLine, byWhom, excerpt, outcomeSentence, shownAnswer } from "./outcome-text.ts";
import type { Paint } from "./paint.ts";
import { askerName, headline, shortId } from "./session-names.ts";

/*
 * One session as `askbox show` prints it: what is asked, its state, each question, the draft or earlier answer beside them, the thread, and
 * the commands that answer it. All text is the agent's or a person's and is sanitised here; what the contract does not limit is cut, but
 * the action to be allowed never is.
 */

interface PageOptions {
  columns: number;
  now: number;
  paint: Paint;
  /** Whether to say how to answer it; default true. */
  howTo?: boolean;
  /** A draft, if there is one. */
  draft?: Draft | undefined;
  /** The registration of the agent that asks. */
  agent?: RegisteredAgent | undefined;
  /** How the agent will get the outcome, if that is known. */
  outlook?: Outlook | undefined;
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
      const answer = answers.find(({ questionId }) => questionId === question.id);
      return questionBlock(question, { number, answer, machine: session.asker.machine }, options);
    }),
    ...(comment === "" ? [] : [`Comment: ${wrap(excerpt(terminalText(comment), maxDetailLength), columns, 9)}`]),
    ...backgroundBlocks(session, options),
    ...(thread === undefined ? [] : [thread]),
    ...(options.draft === undefined ? [] : [draftBlock(session, options.draft, options)]),
    ...(session.earlierAnswer === undefined || session.status !== "pending"
      ? []
      : [earlierAnswerBlock(session, session.earlierAnswer, options)]),
    ...(options.howTo === false ? [] : howToAnswer(session, paint)),
    ...(options.howTo === false ? [] : whatComes(session, options)),
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
  if (denialOf(session) !== undefined) return denialPhrases.note;
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
  const machine = asker.machine === undefined ? "" : ` ${machineText(asker.machine, terminalLine)}`;
  return `${terminalLine(id)}, from ${excerpt(askerName(asker) + version, 200)}${machine}${project}, asked ${ago(createdAt, now)}`;
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

/** How the agent will get the outcome, and what a person can do for that. */
function whatComes(session: SessionView, options: PageOptions): string[] {
  const { outlook, columns, paint } = options;
  const resume = hasLeft(session) && outlook?.next !== "continues" && outlook?.next !== "resumes" ? [howToResume(session, options)] : [];
  if (outlook === undefined || outlook.next === "next_call" || !isAwaited(session)) return resume;
  const says = wrap(outlookText(outlook, session, terminalLine(clientTitle(session.asker.client.name))), columns, 0);
  const lines = outlook.next === "start" && session.status !== "pending" ? [`  askbox wake ${shortId(session.id)}`] : [];
  return [[paint("dim", says), ...lines].join("\n"), ...resume];
}

function howToResume(session: SessionView, { agent, columns, paint }: PageOptions): string {
  const [sentence = "", line] = resumeLines(session, agent);
  return [paint("dim", wrap(sentence, columns, 0)), ...(line === undefined ? [] : [`  ${line}`])].join("\n");
}

/** What the contract does not limit is cut for display; `--json` has it whole. */
const maxDetailLength = 2_000;

/** A question with its options, and its answer if there is one. `number` is printed before it. */
function questionBlock(
  question: Question,
  shown: { number: string; answer: Answer | undefined; machine: string | undefined },
  { columns, paint }: { columns: number; paint: Paint },
): string {
  const indent = Math.max(2, shown.number.length);
  const start = " ".repeat(indent);
  const header = question.header === undefined ? "" : `[${shorten(terminalLine(question.header), 40)}] `;
  const lines = [shown.number + wrap(header + terminalText(question.question), columns, indent), start + paint("dim", traits(question))];
  if ("denial" in question && question.denial !== undefined) {
    lines.push(start + wrap(denialText(question.denial, terminalLine), columns, indent));
    if (question.denial.reason !== undefined) lines.push(start + wrap(terminalText(question.denial.reason), columns, indent));
  }
  if ("action" in question) lines.push(...actionLines(question.action, shown.machine, { columns, indent, paint }));
  if ("agentOptions" in question)
    for (const { label } of question.agentOptions ?? [])
      lines.push(start + wrap(`The agent's own option: ${exactText(label)}`, columns, indent));
  if ("document" in question) lines.push(...documentBlock(question, { columns, indent, paint }));
  for (const line of imageLines(question)) lines.push(start + wrap(excerpt(terminalText(line), maxDetailLength), columns, indent));
  if ("options" in question) {
    question.options.forEach((option, index) => {
      lines.push(optionBlock(option, index, { columns, indent, paint, chosen: shown.answer?.values.includes(option.value) ?? false }));
    });
  }
  if (shown.answer !== undefined) {
    lines.push(`${start}${paint("green", "→")} ${wrap(shownAnswer(question, shown.answer), columns, indent + 2)}`);
    if (shown.answer.note !== undefined)
      lines.push(`${start}Note: ${wrap(excerpt(terminalText(shown.answer.note), maxDetailLength), columns, indent + 6)}`);
  }
  return lines.join("\n");
}

/** The question's id, type and expected answer. */
function traits(question: Question): string {
  const expected = shorten(terminalLine(expectedAnswer(question)), 120);
  const parts = [shorten(terminalLine(question.id), 60), expected, question.required ? "required" : "optional"];
  if (takesOther(question)) parts.push("or your own words");
  if ("placeholder" in question && question.placeholder !== undefined)
    parts.push(`hint: ${shorten(terminalLine(question.placeholder), 60)}`);
  if ("suggestion" in question && question.suggestion !== undefined)
    parts.push(`suggested by the agent: ${shorten(terminalLine(question.suggestion), 60)}`);
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
    if (detail !== undefined) lines.push(wrap(excerpt(terminalText(detail), maxDetailLength), at.columns, indent));
  }
  const start = " ".repeat(at.indent);
  return [start + lines[0], ...lines.slice(1).map((line) => " ".repeat(indent) + at.paint("dim", line))].join("\n");
}

interface Layout {
  columns: number;
  now: number;
  paint: Paint;
}

const maxShownBeside = 500;

/** A draft, or an answer or a decline that is about to be sent. */
function draftBlock(session: Pick<SessionView, "questions">, draft: Draft, { columns, now, paint }: Layout): string {
  const written = session.questions.flatMap((question) => {
    const { values = [], customText, skipped, note } = own(draft.fields, question.id) ?? {};
    const labels = values.map((value) => labelOf(question, value));
    const parts = [...labels, ...(customText === undefined ? [] : [customText]), ...(note === undefined ? [] : [`(note: ${note})`])];
    const text = skipped ? "(skipped)" : parts.join(", ");
    return text === ""
      ? []
      : [`  ${cut(terminalLine(question.question), 60, "")}: ${wrap(excerpt(terminalText(text), maxShownBeside), columns, 4)}`];
  });
  const { scheduled } = draft;
  const head =
    scheduled === undefined
      ? `Draft saved ${ago(draft.updatedAt, now)} ${byWhom(draft.by)}:`
      : `${scheduled.decline === undefined ? "An answer" : "A decline"} ${byWhom(scheduled.by)} is about to be sent and can still be undone there:`;
  const { reason } = scheduled?.decline ?? {};
  const declined = reason === undefined ? [] : [`  ${excerpt(terminalLine(reason), maxShownBeside)}`];
  const answered = () => [`  ${answersLine(session.questions, scheduled?.answers ?? [])}`];
  const lines = scheduled === undefined ? written : scheduled.decline === undefined ? answered() : declined;
  const comment = commentText(draft);
  const said = comment === "" ? [] : [`  Comment: ${excerpt(terminalLine(comment), maxShownBeside)}`];
  return [paint("dim", head), ...lines, ...said].join("\n");
}

/** The earlier answer to the same question from this asker, and the command that repeats it. */
function earlierAnswerBlock(session: SessionView, earlier: EarlierAnswer, { columns, now, paint }: Layout): string {
  const what = `The same question was answered ${ago(earlier.at, now)} ${byWhom(earlier.by)}, but the agent had left: ${answersLine(session.questions, earlier.answers)}`;
  const line = repeatingLine(session, earlier);
  const repeat =
    line === undefined
      ? "It doesn't fit on one command line; answer again."
      : `${paint("dim", "It isn't sent automatically. To repeat it, run:")}\n  ${line}`;
  return `${wrap(what, columns, 0)}\n${repeat}`;
}

/** The command that repeats an earlier answer; undefined if it can't be typed in a shell. */
function repeatingLine(session: Pick<SessionView, "id">, { answers, comment }: EarlierAnswer): string | undefined {
  const flags = answers.flatMap(({ questionId, values, customText, note }) => [
    ...values.map((value) => ["--set", `${questionId}=${value}`]),
    ...(customText === undefined ? [] : [["--other", `${questionId}=${customText}`]]),
    ...(isSkipped({ values, customText }) ? [["--skip", questionId]] : []),
    ...(note === undefined ? [] : [["--note", `${questionId}=${note}`]]),
  ]);
  if (comment !== undefined) flags.push(["--comment", comment]);
  const words = flags.map(([flag = "", value = ""]) => {
    const word = shellWord(value);
    return word === undefined ? undefined : `${flag} ${word}`;
  });
  return words.includes(undefined) ? undefined : `askbox answer ${shortId(session.id)} ${words.join(" ")}`;
}

function labelOf(question: Question, value: string): string {
  return "options" in question ? (question.options.find((option) => option.value === value)?.label ?? value) : value;
}

/** The maximum length of a reply. */
const maxReplyLength = 10_000;

/** The thread with the agent: who, where and when, then the text. Undefined if nobody has asked back. */
function threadBlock(
  { thread = [], questions }: Pick<SessionView, "thread" | "questions">,
  { columns, now, paint }: { columns: number; now: number; paint: Paint },
): string | undefined {
  if (thread.length === 0) return undefined;
  const messages = thread.map((message) => {
    const number = aboutNumber(questions, message);
    const who = isReply(message)
      ? "The agent replied"
      : message.unasked
        ? `Message ${byWhom(message.by)}`
        : `Asked back ${byWhom(message.by)}`;
    const about = number === 0 ? "" : `, about question ${number}`;
    const note = isReply(message) || message.deliveredAt !== undefined ? "" : ", not delivered yet";
    const head = `${who} ${ago(message.at, now)}${about}${note}:`;
    return `${paint("dim", wrap(head, columns, 0))}\n  ${wrap(excerpt(terminalText(messageText(message)), maxReplyLength), columns, 2)}`;
  });
  return messages.join("\n");
}

/** Whether nobody is there to receive the outcome. */
export function hasLeft(session: SessionView): boolean {
  const { status, presence, delivery } = session;
  if (status === "pending" && denialOf(session) !== undefined) return false;
  return presence.asker === "away" && (status === "pending" || delivery.deliveredAt === null);
}

/** How to resume the conversation of an agent that has left: a sentence and the command line, or only the sentence if no command is known. */
function resumeLines({ asker }: SessionView, registered: RegisteredAgent | undefined): string[] {
  const resume = resumeOf(asker, registered);
  if (resume !== undefined) return [resumeSentences[resume.how], terminalLine(resume.command)];
  return ["The agent has left, and its conversation is unknown. Start it again; asking the same question again returns the answer."];
}

const resumeSentences: Readonly<Record<Resume["how"], string>> = {
  registered: "The agent has left. To resume it, run the command it was registered with:",
  conversation: "The agent has left. To resume the conversation in which it started, which may have been cleared since, run:",
  latest: "The agent has left, and its conversation is unknown. To resume the latest one in its folder, which may be a different one, run:",
};
