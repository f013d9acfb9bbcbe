import { type Asker, type AskerInfo, isAskboxError, limits, parseAsk, type SessionRecord, standardPlatform } from "@askbox/core";
import { questionTypes } from "@askbox/core/questions";
import { roundedDuration } from "@askbox/inbox/text";
import { terminalLine } from "@askbox/terminal-text";
import { type AskFlags, askFlags, askFromFlags, describesQuestion, fieldOptions } from "../ask-from-flags.ts";
import { commandWith, type DefineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import type { ExitCode } from "../exit-codes.ts";
import { peopleOnly } from "../people-only.ts";
import { readJson } from "../read-json.ts";
import { reportOutcome, wantsEarlier } from "../report-outcome.ts";
import { answerLines } from "../text/answer-lines.ts";
import { shortId } from "../text/session-names.ts";
import { usageError } from "../usage.ts";

export const command: DefineCommand = (run) => {
  const command = commandWith("ask", "Ask a person, and wait for the answer", [
    ["askbox ask 'Deploy to production?' --type confirm", "prints yes or no; in a terminal, you can answer directly"],
    ["askbox ask 'How many workers?' --type number --integer --min 1 --max 64", "prints a decimal such as 8 or 3.5"],
    ["askbox ask 'Which style?' --option Tailwind --option 'CSS Modules'", "prints the option"],
    ["name=$(askbox ask 'What is it called?' --timeout 1m) || exit", "exit code 3: cancelled, 4: timed out"],
    ["askbox ask 'Ship this header?' --type confirm --image shot.png='New header'", "shows a picture with it"],
    ["askbox ask --file questions.json --json", "the ask_user tool's input and result"],
  ])
    .argument("[question]", "the question; basic markdown")
    .option("--type <type>", `${questionTypes.join(", ")} (default: select with --option, else text)`, askFlags.type)
    .option("--option <text>", "an option; repeat for more", askFlags.option)
    .option(
      "--image <path>",
      "show a PNG, JPEG, GIF or WebP with the question; add =TEXT to say what it shows; repeat for more",
      askFlags.option,
    )
    .option("--no-other", "allow only the options, no free-text answer")
    .option("--optional", "the question can be skipped")
    .option("--required", "the question must be answered (default)");
  for (const option of fieldOptions()) command.addOption(option);
  return command
    .option("--title <text>", "a title above the question")
    .option(
      "--timeout <time>",
      "how long to wait, 10s to 30m, or 0 for no deadline; a bare number is milliseconds (default: ASKBOX_TIMEOUT, else 5m)",
      askFlags.timeout,
    )
    .option("--key <key>", "a name for this ask; asking the same question again with it joins the pending one")
    .option("--file <file>", "read the ask_user tool's input from a JSON file, or - for standard input")
    .option("--json", "print the result in the ask_user tool's format")
    .action(run(ask));
};

/** The form's exit code for Ctrl-C: 128 plus SIGINT's number, as in shells. */
const interrupted = 130;

async function ask(context: CommandContext, question: string | undefined, flags: AskFlags): Promise<ExitCode> {
  const input = await inputFrom(context, question, flags);
  const { timeout } = await context.settings();
  const asked = parseAsk(input, { ids: standardPlatform(globalThis).ids, defaultTimeout: timeout });
  const endless = flags.timeout === 0;
  if (endless) await peopleOnly(context, "remove the deadline of");
  // Only a person's token may remove a deadline; without one, nothing is asked.
  const request = await context.sendPictures(asked);
  const [info, asker, desk] = await Promise.all([context.askerInfo(), context.asker(), endless ? context.desk() : undefined]);
  const interrupt = Promise.withResolvers<void>();
  const release = context.onInterrupt(interrupt.resolve);
  try {
    const json = flags.json === true;
    const opened = Promise.withResolvers<SessionRecord | undefined>();
    const asking = asker.ask(request, {
      asker: info,
      key: flags.key,
      earlier: wantsEarlier(context, json),
      onOpened: ({ session }) => opened.resolve(session),
    });
    const over = new AbortController();
    const end = () => {
      over.abort();
      opened.resolve(undefined);
    };
    // It may fail while the form is still open; the await below handles the error.
    asking.then(end, end);
    const session = await opened.promise;
    if (session === undefined) return await reportOutcome(context, await asking, json);
    await desk?.extend(session.id, { timeout: null });
    const takenBack = interrupt.promise.then(() => withdraw(asker, info, session.id)).then(() => asking);
    const settled = Promise.race([asking, takenBack]);
    settled.catch(() => {});
    const leaving = await answerHere(context, flags, session, over.signal);
    if (leaving === interrupted) interrupt.resolve();
    else if (leaving === undefined || (await isPending(context, session.id))) await announce(context, session, endless);
    return await reportOutcome(context, await settled, json);
  } finally {
    release();
  }
}

/** Shows the form if a person is at the terminal, until the session is settled or they exit; resolves with its exit code. */
async function answerHere(
  context: CommandContext,
  flags: AskFlags,
  session: SessionRecord,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { io, terminalInbox } = context;
  const besideOutput = flags.json === true || !io.stdout.isTerminal;
  const isElsewhere = (await context.asksElsewhere()) !== undefined;
  const isHere = !isElsewhere && terminalInbox !== undefined && (!besideOutput || io.stderr.isTerminal);
  // With --file -, the input was the questions. In an agent's shell it is unknown who types.
  if (!isHere || flags.file === "-" || (await context.agent()) !== undefined) return undefined;
  try {
    return await terminalInbox({ session: session.id, once: true, besideOutput, codeOnInterrupt: interrupted, signal });
  } catch (error) {
    // The token of another hub may only be allowed to ask.
    if (isAskboxError(error, "FORBIDDEN") || isAskboxError(error, "UNAUTHORIZED")) return undefined;
    throw error;
  }
}

/** The session may have been answered just before the form closed, without `wait` having received it yet. */
async function isPending(context: CommandContext, id: string): Promise<boolean> {
  return (await (await context.desk()).get(id)).status === "pending";
}

async function inputFrom(context: CommandContext, question: string | undefined, flags: AskFlags): Promise<unknown> {
  // What has no deadline gets none as soon as it is asked.
  const timeout = flags.timeout === 0 ? limits.timeout.max : flags.timeout;
  if (flags.file === undefined) {
    if (question === undefined) throw usageError("Specify what to ask: askbox ask QUESTION, or askbox ask --file FILE.");
    return askFromFlags(question, { ...flags, timeout });
  }
  if (question !== undefined || flags.title !== undefined || describesQuestion(flags))
    throw usageError("--file contains the questions; remove QUESTION and the flags that describe one.");
  const start = context.now();
  const input = await readJson(flags.file, context.io.stdin, { within: flags.timeout || undefined });
  const isObject = typeof input === "object" && input !== null && !Array.isArray(input);
  return isObject && timeout !== undefined ? { ...input, timeout: timeLeftOf(timeout, context.now() - start) } : input;
}

/** What is left of a timeout after what was spent on reading, in whole seconds, and at least what an ask may have. */
function timeLeftOf(timeout: number, spent: number): number {
  const left = timeout - Math.max(Math.floor(spent / 1_000), 0) * 1_000;
  return Math.max(left, Math.min(limits.timeout.min, timeout));
}

async function announce({ io, now, asksElsewhere }: CommandContext, session: SessionRecord, endless: boolean): Promise<void> {
  const { deadlineAt } = session.context;
  const wait = endless || deadlineAt === null ? "" : ` ${roundedDuration(deadlineAt - now())}`;
  const elsewhere = await asksElsewhere();
  if (elsewhere !== undefined) {
    const place = `at the hub at ${terminalLine(elsewhere.url)}, where it is answered`;
    await io.stderr.write(`Asked as ${shortId(session.id)} ${place}; waiting${wait} (Ctrl-C withdraws the question).\n`);
    return;
  }
  const lines = answerLines({ id: session.id, questions: session.request.questions }).slice(0, -1);
  const choice = session.request.questions.some((question) => "options" in question) ? ", where N is an option's number" : "";
  const head = `Asked as ${shortId(session.id)}; waiting${wait} for an answer${choice} (Ctrl-C withdraws the question):`;
  await io.stderr.write(`${[head, ...lines.map((line) => `  ${line}`)].join("\n")}\n`);
}

/** Withdraws the question, unless it has been answered already. */
async function withdraw(asker: Asker, info: AskerInfo, id: string): Promise<void> {
  try {
    await asker.withdraw(id, { asker: info, reason: "Interrupted at the keyboard" });
  } catch (error) {
    if (!isAskboxError(error, "SESSION_CLOSED")) throw error;
  }
}
