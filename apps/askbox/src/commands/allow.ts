import type { Question } from "@askbox/core";
import { grantDuration, grantScopes } from "@askbox/core/questions";
import { isDenial } from "@askbox/inbox/list";
import { denialPhrases } from "@askbox/inbox/text";
import { terminalLine } from "@askbox/terminal-text";
import { commandWith, type DefineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { decide } from "../decide.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { readJson } from "../read-json.ts";
import { decidedActions } from "../text/action-lines.ts";
import { answersLine } from "../text/outcome-text.ts";
import { askerName, shortId } from "../text/session-names.ts";
import { oneOf, usageError } from "../usage.ts";

interface AllowOptions {
  grant?: (typeof grantScopes)[number];
  for?: string;
  input?: string;
  option?: string;
}

export const command: DefineCommand = (run) =>
  commandWith("allow", "Allow an agent's permission request", [
    ["askbox show k3f9", "all of it, before you decide"],
    ["askbox allow k3f9", "this once; of a call that a model has denied, overrules that"],
    ["askbox allow k3f9 --grant project --for 7d", "exactly this, in its project, for 7 days"],
    ['askbox allow k3f9 --option "Always allow npm test"', "by one of the agent's own options, which `askbox show` prints"],
    ["askbox allow k3f9 --input - < arguments.json", "with other arguments, if the client supports that"],
  ])
    .argument("<id>", "its id, or a unique prefix of at least 4 characters")
    .option(
      "--grant <session|project>",
      "also allow it from now on without asking, in this conversation or project",
      oneOf("--grant", grantScopes),
    )
    .option("--for <time>", "how long the grant lasts, 1m to 30d (default: 8h); needs --grant")
    .option("--option <name>", "one of the agent's own options, by its whole name; it may reach further than it says")
    .option("--input <file>", "arguments to run it with instead: a JSON file, or - for standard input")
    .action(run(allow));

async function allow(context: CommandContext, id: string, { grant, for: time, input: file, option }: AllowOptions): Promise<ExitCode> {
  if (option !== undefined && (grant !== undefined || file !== undefined))
    throw usageError("--option is the agent's own; pass it without --grant and --input.");
  if (time !== undefined && grant === undefined) throw usageError("--for needs --grant; pass both or neither.");
  if (time !== undefined && grantDuration(time) === undefined)
    throw usageError("--for takes a time from 1m to 30d, such as 30m, 8h or 7d.");
  const input = file === undefined ? undefined : await readJson(file, context.io.stdin, { exact: true });
  if (input !== undefined && (typeof input !== "object" || input === null || Array.isArray(input))) {
    throw usageError("--input takes a JSON object: the tool's arguments.");
  }
  const value = grant === undefined ? "allow" : time === undefined ? grant : `${grant}:${time}`;
  const session = await decide(context, "allow", id, (question) => ({
    values: [option === undefined ? value : ownOption(question, option)],
    ...(input && { input: { ...input } }),
  }));
  const answers = session.outcome?.kind === "answered" ? session.outcome.answers : [];
  const { stdout } = context.io;
  const said = isDenial(session) ? denialPhrases.overruled : answersLine(session.questions, answers);
  const decided = `${said}: ${shortId(session.id)} from ${askerName(session.asker)}.\n`;
  await stdout.write(decided + decidedActions(session, stdout));
  return exitCodes.done;
}

function ownOption(question: Question, name: string): string {
  const options = ("agentOptions" in question && question.agentOptions) || [];
  const found = options.find(({ label }) => label === name);
  if (found !== undefined) return found.value;
  const names = options.map(({ label }) => JSON.stringify(terminalLine(label)));
  throw usageError(names.length === 0 ? "The agent offers no options of its own." : `The agent's own options are ${names.join(", ")}.`);
}
