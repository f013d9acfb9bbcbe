import { type AnswerIssue, type AnswerSet, AskboxError, type Desk, isAskboxError, type SessionView } from "@askbox/core";
import type { AnswerFile } from "@askbox/core/questions";
import { cut, traitsOf } from "@askbox/core/questions";
import { answerSetSchema, quote } from "@askbox/core/schemas";
import { endingNames } from "@askbox/inbox/text";
import { terminalLine } from "@askbox/terminal-text";
import { answersFromWords, fileToUpload, type Words } from "../answer-from-words.ts";
import { commandWith, type DefineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { editAnswer, sayKept } from "../editing/edit-answer.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { peopleOnly } from "../people-only.ts";
import { readJson } from "../read-json.ts";
import { decidedActions } from "../text/action-lines.ts";
import { answersLine } from "../text/outcome-text.ts";
import { askerName, shortId } from "../text/session-names.ts";
import { repeated, usageError } from "../usage.ts";

interface AnswerOptions extends Partial<Omit<Words, "values">> {
  agent?: string;
  comment?: string;
  commentFile?: string[];
  json?: string;
  edit?: string | true;
}

export const command: DefineCommand = (run) =>
  commandWith("answer", "Answer questions", [
    ["askbox answer k3f9 Tailwind", "an option by its text, or your own text"],
    ["askbox answer k3f9 '#2' '#3'", "options by number"],
    ["askbox answer k3f9 yes --comment 'But not on Friday'", "yes or no, with a comment"],
    ["askbox answer k3f9 --set name=Card --set style=Tailwind --skip notes", "several questions"],
    ["askbox answer k3f9 --other style='Whatever is there already'", "your own words instead of an option"],
    ["askbox answer k3f9 'Like this' --file shot.png", "with a picture or another file; several questions: --file ID=PATH"],
    ["askbox answer k3f9 --edit", "in your editor: a text, or a decision and comments on a review, plan or diff"],
    ["askbox answer k3f9 error.log", "files, where files are asked for"],
    ["askbox answer k3f9 'Use Tailwind'", "after its deadline: a reply, which the agent gets with its next question"],
    ["askbox answer --agent builder 'Use Tailwind'", "the oldest open question of an agent"],
    ["askbox answer k3f9 --json - < answers.json", "answers as {answers: [{questionId, values}], comment?}"],
  ])
    .argument("[id]", "the id of the questions, or a unique prefix of at least 4 characters")
    .argument("[value...]", "the answer, if there is only one question; put -- before values that start with a dash")
    .option("--agent <agent>", "answer the oldest open question of this agent, instead of naming an id")
    .option("--set <id=value>", "answer the question with this id; repeat to choose several options", repeated)
    .option("--other <id=text>", "answer a choice in your own words", repeated)
    .option("--note <id=text>", "add a note to an answer", repeated)
    .option("--file <id=path>", "attach a file; the id may be left out if there is one question", repeated)
    .option("--edit [id]", "write the answer in $VISUAL or $EDITOR; the id may be left out if there is one such question")
    .option("--skip <id>", "skip an optional question", repeated)
    .option("--comment <text>", "add a comment to the whole set")
    .option("--comment-file <path>", "attach a file to that comment, or in its place", repeated)
    .option("--json <file>", "read the answers from a JSON file, or - for standard input")
    .action(run(answer));

async function answer(context: CommandContext, named: string | undefined, rest: string[], options: AnswerOptions): Promise<ExitCode> {
  await peopleOnly(context, "answer");
  const { agent } = options;
  // `answer --edit ID` is the same as `answer ID --edit`.
  const isId = named === undefined && agent === undefined && typeof options.edit === "string";
  const id = isId ? `${options.edit}` : named;
  const edit = isId || options.edit;
  if (id === undefined && agent === undefined)
    throw usageError("Specify which questions to answer: pass their id, or --agent with the agent's id.");
  // With --agent, everything typed is the answer.
  const values = agent === undefined || id === undefined ? rest : [id, ...rest];
  const set = options.json === undefined ? undefined : await fromJson(context, options.json, { values, ...options });
  const desk = await context.desk();
  const session = agent === undefined ? await desk.get(id ?? "") : await oldestOf(desk, agent);
  if (agent !== undefined && session.questions.some((question) => traitsOf(question).picks === "decision")) {
    throw usageError(`The agent asks for permission: read \`askbox show ${shortId(session.id)}\`, then allow or deny it by that id.`);
  }
  const answers = set ?? fromWords(session, values, options);
  const written = edit !== undefined && takesWords(session) ? await editAnswer(context, desk, session, answers, edit) : undefined;
  if (written?.isUnchanged) {
    await context.io.stderr.write("Nothing was changed, so nothing was sent.\n");
    return exitCodes.failed;
  }
  const sent = send(context, desk, session, answers);
  const settled = await (written === undefined ? sent : sent.catch((error: unknown) => sayKept(context, written, error)));
  await written?.delete();
  const { stdout } = context.io;
  const said = settled.reply === undefined ? confirmation(settled, session.presence) : replyConfirmation(settled);
  await stdout.write(`${said}\n${decidedActions(settled, stdout)}`);
  return exitCodes.done;
}

async function send(context: CommandContext, desk: Desk, session: SessionView, answers: AnswerSet): Promise<SessionView> {
  refuseHuge(answers, (await context.settings()).requestBytes);
  for (const part of [answers, ...answers.answers]) await upload(context, session, part);
  return settle(desk, session, answers).catch((error: unknown) => {
    throw withOptions(error, session);
  });
}

/** Uploads the files that were named by their paths. */
async function upload(context: CommandContext, session: SessionView, part: Pick<AnswerSet, "files">): Promise<void> {
  if (part.files === undefined) return;
  const uploaded: AnswerFile[] = [];
  for (const { path, ...file } of part.files) {
    uploaded.push(path === undefined ? file : { ...file, ...(await context.upload(session.id, path)) });
  }
  part.files = uploaded;
}

/** The oldest pending session of an agent. Throws `SESSION_NOT_FOUND`. */
async function oldestOf(desk: Desk, agentId: string): Promise<SessionView> {
  const [oldest] = (await desk.list({ statuses: ["pending"], agentId, order: "oldest", limit: 1 })).items;
  if (oldest !== undefined) return oldest;
  throw new AskboxError("SESSION_NOT_FOUND", `The agent ${quote(agentId)} has no pending questions.`);
}

/** Answers the session, or replies to it if its deadline has passed, even while the answer was on its way. */
async function settle(desk: Desk, session: SessionView, set: AnswerSet): Promise<SessionView> {
  if (isOverdue(session)) return desk.reply(session.id, set);
  try {
    return await desk.answer(session.id, set);
  } catch (error) {
    if (session.status !== "pending" || !isAskboxError(error, "SESSION_CLOSED") || !isOverdue(await desk.get(session.id))) throw error;
    return desk.reply(session.id, set);
  }
}

/** Whether the session timed out and has no reply yet. */
const isOverdue = ({ status, reply }: SessionView) => status === "timed_out" && reply === undefined;

function fromWords(
  session: SessionView,
  values: string[],
  { set = [], other = [], note = [], file = [], skip = [], comment, commentFile, edit }: AnswerOptions,
): AnswerSet {
  const isEdit = edit !== undefined && [values, set, other, note, file, skip].every(({ length }) => length === 0);
  const answers = takesWords(session) && !isEdit ? answersFromWords(session.questions, { values, set, other, note, file, skip }) : [];
  return { answers, comment, files: takesWords(session) ? commentFile?.map(fileToUpload) : undefined };
}

/** For a settled session the desk's error says how it was settled, which helps more than a validation error. */
const takesWords = (session: SessionView): boolean => session.status === "pending" || isOverdue(session);

async function fromJson(context: CommandContext, file: string, options: AnswerOptions & { values: string[] }): Promise<AnswerSet> {
  const { values, set, other, note, file: files, skip, comment, commentFile, edit } = options;
  if (values.length > 0 || [set, other, note, files, skip, comment, commentFile, edit].some((option) => option !== undefined)) {
    throw usageError("--json contains the whole answer; remove the other answers.");
  }
  const read = answerSetSchema.safeParse(await readJson(file, context.io.stdin, { exact: true }));
  if (read.success) return read.data;
  const path = read.error.issues[0]?.path.join(".");
  throw usageError(
    `The answers must be {"answers": [{"questionId": "…", "values": ["…"]}], "comment": "…"}${path ? `; ${path} is invalid` : ""}.`,
  );
}

/** Answers end up in an agent's context, so an answer too large for it is refused. */
function refuseHuge(set: AnswerSet, most: number): void {
  const bytes = Buffer.byteLength(JSON.stringify(set));
  if (bytes > most)
    throw new AskboxError(
      "PAYLOAD_TOO_LARGE",
      `The answer has ${bytes} bytes; at most ${most} are allowed. Put the text in a file and refer to it instead.`,
    );
}

/** Adds the possible answers to the errors of an answer. */
function withOptions(error: unknown, session: SessionView): unknown {
  if (!isAskboxError(error, "INVALID_ANSWER")) return error;
  const issues = (error.details?.["issues"] as AnswerIssue[] | undefined)?.map((issue) => {
    const question = session.questions.find(({ id }) => id === issue.questionId);
    if (question === undefined || !("options" in question) || issue.code !== "not_an_option") return issue;
    const labels = question.options.slice(0, 10).map(({ label }, index) => `#${index + 1} ${cut(terminalLine(label), 60, "")}`);
    return { ...issue, message: `${issue.message} The options are ${labels.join(", ")}${question.options.length > 10 ? ", …" : ""}.` };
  });
  return new AskboxError("INVALID_ANSWER", error.message, {
    details: { ...error.details, issues },
    cause: error,
  });
}

/** The session remains timed out; the reply is stored along with it. */
function replyConfirmation(session: SessionView): string {
  const answers = session.reply === undefined ? "" : answersLine(session.questions, session.reply.answers);
  return [
    `Replied to ${shortId(session.id)} of ${askerName(session.asker)}: ${ended(answers)}`,
    "Its deadline had passed: it remains timed out, and the agent gets the reply with its next question.",
  ].join("\n");
}

/** Adds a full stop, unless the text ends with punctuation. */
const ended = (text: string): string => (/[.!?…。！？]$/.test(text) ? text : `${text}.`);

/** `before`: who was present when the answer was given. */
function confirmation(session: SessionView, before: SessionView["presence"]): string {
  const answers = session.outcome?.kind === "answered" ? answersLine(session.questions, session.outcome.answers) : "";
  const gone = before.asker === "away" ? " The agent has left; the answer is kept for it." : "";
  return `${endingNames.answered} ${shortId(session.id)} for ${askerName(session.asker)}: ${ended(answers)}${gone}`;
}
