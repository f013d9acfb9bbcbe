import {
  type Asker,
  askResult,
  earlierResult,
  isAskboxError,
  parseAsk,
  questionTypes,
  type SessionRecord,
  standardPlatform,
} from "@askbox/core";
import { type AskFlags, askFlags, askFromFlags } from "../ask-from-flags.ts";
import { commandWith, type DefineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { type ExitCode, exitCodeOfOutcome, exitCodes } from "../exit-codes.ts";
import { writeJson } from "../json-output.ts";
import { readJson } from "../read-json.ts";
import { answerLines } from "../text/answer-lines.ts";
import { timeLeft } from "../text/duration.ts";
import { answersText, earlierText, remarks } from "../text/result-text.ts";
import { shortId } from "../text/session-names.ts";
import { usageError } from "../usage.ts";

export const command: DefineCommand = (run) =>
  commandWith("ask", "Ask a person, and wait for the answer", [
    ["askbox ask 'Deploy to production?' --type confirm", "prints yes or no"],
    ["askbox ask 'Which style?' --option Tailwind --option 'CSS Modules'", "prints the option"],
    ["name=$(askbox ask 'What is it called?' --timeout 60000) || exit", "exit code 3: cancelled, 4: timed out"],
    ["askbox ask --file questions.json --json", "the ask_user tool's input and result"],
  ])
    .argument("[question]", "the question; basic markdown")
    .option("--type <type>", `${questionTypes.join(", ")} (default: select with --option, else text)`, askFlags.type)
    .option("--option <text>", "an option to choose; repeat it", askFlags.option)
    .option("--no-other", "take only the options, no words of the person's own")
    .option("--optional", "the question may be skipped")
    .option("--required", "the question must be answered (default)")
    .option("--placeholder <text>", "shown in the empty field")
    .option("--title <text>", "a title over the question")
    .option("--timeout <ms>", "milliseconds to wait, 10000 to 1800000 (default: ASKBOX_TIMEOUT, else 300000)", askFlags.timeout)
    .option("--key <key>", "a name for this ask: asking again under it joins the pending question")
    .option("--file <file>", "read the ask_user tool's input from a JSON file, or from standard input for -")
    .option("--json", "print the result as the ask_user tool gives it")
    .action(run(ask));

async function ask(context: CommandContext, question: string | undefined, flags: AskFlags): Promise<ExitCode> {
  const input = await inputFrom(context, question, flags);
  const { timeout } = await context.settings();
  const request = parseAsk(input, { ids: standardPlatform(globalThis).ids, defaultTimeout: timeout });
  const [info, asker] = await Promise.all([context.askerInfo(), context.asker()]);
  const interrupt = Promise.withResolvers<void>();
  const release = context.onInterrupt(interrupt.resolve);
  try {
    const opened = await asker.open(request, { asker: info, ...(flags.key === undefined ? {} : { key: flags.key }) });
    const settled = asker.wait(opened.session.id);
    // Awaited below; the form may be open for long before.
    settled.catch(() => {});
    if (!opened.late) await answerHere(context, opened.session);
    const session = await Promise.race([settled, interrupt.promise.then(() => withdraw(asker, opened.session.id))]);
    const asksEarlier = flags.json === true || context.io.stderr.isTerminal;
    // An answer in hand is worth more than what comes along with it: that stays for the next ask.
    const others = asksEarlier ? await asker.earlier(info).catch(() => []) : [];
    const earlier = others.filter(({ id }) => id !== session.id);
    await print(context, session, { late: opened.late, earlier, json: flags.json === true });
    await recordDelivery(context, asker, [session, ...earlier]);
    return session.context.outcome === undefined ? exitCodes.failed : exitCodeOfOutcome(session.context.outcome.kind);
  } finally {
    release();
  }
}

async function inputFrom(context: CommandContext, question: string | undefined, flags: AskFlags): Promise<unknown> {
  if (flags.file === undefined) {
    if (question === undefined) throw usageError("Say what to ask: askbox ask QUESTION, or askbox ask --file FILE.");
    return askFromFlags(question, flags);
  }
  const beside = [question, flags.type, flags.option, flags.title, flags.placeholder].some((given) => given !== undefined);
  if (beside || flags.optional || !flags.other)
    throw usageError("--file brings the questions; leave QUESTION and the flags that describe one out.");
  const input = await readJson(flags.file, context.io.stdin);
  const isObject = typeof input === "object" && input !== null && !Array.isArray(input);
  return isObject && flags.timeout !== undefined ? { ...input, timeout: flags.timeout } : input;
}

/** In a terminal the form is shown at once; whoever leaves it, or has no terminal, is told how to answer. */
async function answerHere(context: CommandContext, session: SessionRecord): Promise<void> {
  const { terminalInbox } = context;
  if (terminalInbox !== undefined && (await context.agentToRefuse()) === undefined) {
    await terminalInbox({ session: session.id, once: true });
    const present = await (await context.desk()).get(session.id);
    if (present.status !== "pending") return;
  }
  await announce(context, session);
}

async function announce({ io, now }: CommandContext, session: SessionRecord): Promise<void> {
  const { deadlineAt } = session.context;
  const wait = deadlineAt === null ? "" : ` ${timeLeft(deadlineAt - now())}`;
  const lines = answerLines({ id: session.id, questions: session.request.questions }).slice(0, -1);
  const choice = session.request.questions.some((question) => "options" in question) ? ", N being an option's number" : "";
  const head = `Asked as ${shortId(session.id)}; waiting${wait} for an answer${choice} (Ctrl-C takes the question back):`;
  await io.stderr.write(`${[head, ...lines.map((line) => `  ${line}`)].join("\n")}\n`);
}

/** Takes the question back; where an answer came first, that stands. */
async function withdraw(asker: Asker, id: string): Promise<SessionRecord> {
  try {
    return await asker.withdraw(id, { reason: "Interrupted at the keyboard" });
  } catch (error) {
    if (isAskboxError(error, "SESSION_CLOSED")) return await asker.wait(id);
    throw error;
  }
}

/** The answer is out by now, so a failure to say so is no failure of the ask. */
async function recordDelivery({ io }: CommandContext, asker: Asker, sessions: readonly SessionRecord[]): Promise<void> {
  const told = await Promise.allSettled(sessions.map(({ id }) => asker.delivered(id)));
  if (told.every(({ status }) => status === "fulfilled")) return;
  await io.stderr.write("The hub could not be told that the answer has come; an equal question may bring it again.\n");
}

async function print(
  { io }: CommandContext,
  session: SessionRecord,
  { late, earlier, json }: { late: boolean; earlier: SessionRecord[]; json: boolean },
): Promise<void> {
  if (json) {
    await writeJson(io.stdout, askResult(session, { late, earlier: earlier.map(earlierResult) }));
    return;
  }
  const replied = session.reply === undefined ? [] : [session];
  const notes = [...remarks(session, late), ...[...replied, ...earlier].map((one) => earlierText(earlierResult(one)))];
  const answers = answersText(session);
  if (answers !== "") await io.stdout.write(answers);
  if (notes.length > 0) await io.stderr.write(`${notes.join("\n")}\n`);
}
