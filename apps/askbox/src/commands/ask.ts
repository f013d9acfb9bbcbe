import { type Asker, isAskboxError, parseAsk, questionTypes, type SessionRecord, standardPlatform } from "@askbox/core";
import { type AskFlags, askFlags, askFromFlags } from "../ask-from-flags.ts";
import { reportOutcome } from "../asking/report-outcome.ts";
import { commandWith, type DefineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import type { ExitCode } from "../exit-codes.ts";
import type { Prompting } from "../prompt/answer-here.ts";
import { readJson } from "../read-json.ts";
import { answerLines } from "../text/answer-lines.ts";
import { timeLeft } from "../text/duration.ts";
import { shortId } from "../text/session-names.ts";
import { usageError } from "../usage.ts";

export const command: DefineCommand = (run) =>
  commandWith("ask", "Ask a person, and wait for the answer", [
    ["askbox ask 'Deploy to production?' --type confirm", "prints yes or no; in a terminal you can answer there and then"],
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
  let prompting: Prompting | undefined;
  try {
    const opened = await asker.open(request, { asker: info, ...(flags.key === undefined ? {} : { key: flags.key }) });
    const { id } = opened.session;
    const settled = Promise.race([asker.wait(id), interrupt.promise.then(() => withdraw(asker, id))]);
    // It may fail while the prompt is still being made; whoever awaits it below hears of it.
    settled.catch(() => {});
    if (!opened.late) prompting = await promptHere(context, flags, opened.session, interrupt.resolve);
    const session = await settled;
    await prompting?.end();
    prompting = undefined;
    return await reportOutcome(context, session, { asker, info, late: opened.late, json: flags.json === true });
  } finally {
    await prompting?.end().catch(() => {});
    release();
  }
}

/** Takes the answer here too, where a person sits at the terminal; elsewhere, and in an agent's shell, says how it can be answered. */
async function promptHere(
  context: CommandContext,
  flags: AskFlags,
  session: SessionRecord,
  onInterrupt: () => void,
): Promise<Prompting | undefined> {
  const { terminal } = context.io;
  // With --file - the terminal's input was the questions.
  if (terminal === undefined || flags.file === "-" || (await context.agent()) !== undefined) {
    await announce(context, session);
    return undefined;
  }
  try {
    const desk = await context.desk({ surface: "terminal" });
    const { answerHere } = await import("../prompt/answer-here.ts");
    const command = `askbox show ${shortId(session.id)}`;
    await context.io.stderr.write(`Asked as ${shortId(session.id)}: answer here, or anywhere else (${command}). Ctrl-C takes it back.\n`);
    return await answerHere({ context, terminal, desk, id: session.id, onInterrupt });
  } catch (error) {
    // A token that may only ask, of another hub.
    if (!isAskboxError(error, "FORBIDDEN") && !isAskboxError(error, "UNAUTHORIZED")) throw error;
    await announce(context, session);
    return undefined;
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
