import { quote } from "@askbox/core/schemas";
import { Command, CommanderError } from "commander";
import type { Run } from "./command.ts";
import { commandGroups, loadOverview } from "./command-list.ts";
import type { CommandContext, GlobalOptions } from "./context.ts";
import { exitCodeOfError, exitCodes } from "./exit-codes.ts";
import { cleaned, type Io, isBrokenPipe } from "./io.ts";
import { reportError } from "./report-error.ts";
import { usageError } from "./usage.ts";
import { version } from "./version.ts";

const valueOptions = ["--hub", "--token-file", "--project", "--session"];

/** The hidden subcommand that shell scripts call for completions; see `completion/`. */
const completionRequest = "__complete";

/** Runs one command line (without node and script) and resolves with its exit code. Loads only the file of that command. */
export async function runProgram(
  args: readonly string[],
  unclean: Io,
  givenContext: (options: GlobalOptions) => CommandContext,
): Promise<number> {
  // Nothing is printed past this writer.
  const io = cleaned(unclean);
  const contextFor = (options: GlobalOptions): CommandContext => {
    const context = givenContext(options);
    return { ...context, io: cleaned(context.io) };
  };
  if (args[0] === completionRequest) {
    const { runCompletion } = await import("./completion/run-completion.ts");
    return runCompletion(args.slice(1), io, contextFor);
  }
  let exitCode: number = exitCodes.done;
  let help = "";
  let now = Date.now;
  const program = new Command("askbox");
  const run: Run =
    (action) =>
    async (...args) => {
      const context = contextFor(program.opts<GlobalOptions>());
      now = () => context.now();
      try {
        exitCode = await action(context, ...args);
      } finally {
        await context.close();
      }
    };
  try {
    await define(program, args, run, (text) => {
      help += text;
    });
    await program.parseAsync(helpArgs(program, args), { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) {
      exitCode = exitCodes.done;
    } else if (isBrokenPipe(error)) {
      return args.includes("ask") ? exitCodes.failed : exitCodes.done;
    } else {
      const reported = await reportError(io, error instanceof CommanderError ? usageOf(error, program, args) : error, {
        json: printsJson(args),
        now: now(),
      });
      exitCode = exitCodeOfError(reported);
    }
  }
  if (help !== "") await io.stdout.write(help);
  return exitCode;
}

async function define(program: Command, args: readonly string[], run: Run, writeHelp: (text: string) => void): Promise<void> {
  program
    .description("One inbox for every coding agent that needs a person.")
    .usage("[options] [command]")
    .version(version, "-v, --version", "print the version")
    .option("--hub <url>", "use the hub at this address (ASKBOX_HUB)")
    .option("--token-file <file>", "read the token for it from this file (ASKBOX_TOKEN holds the token itself)")
    .helpOption("-h, --help", "show help")
    // The group of `help` itself; every other command has its own.
    .commandsGroup(heading(commandGroups.at(-1)?.title ?? ""))
    .helpCommand("help [command]", "show a command's help")
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: writeHelp, writeErr: () => {} })
    .addHelpText("after", programExamples)
    .exitOverride();
  const name = commandIn(args);
  for (const [title, listed] of commandGroups.flatMap((group) => group.commands.map((one) => [group.title, one] as const))) {
    const chosen = name !== undefined && (listed.name === name || listed.alias === name);
    const command = chosen
      ? (await listed.load()).command(run, args[args.indexOf(name) + 1])
      : new Command(listed.name).summary(listed.summary);
    command.helpGroup(heading(title));
    if (listed.alias !== undefined) command.alias(listed.alias);
    adopt(program, command);
  }
  if (name === undefined) {
    const { command, withInboxOptions } = await loadOverview();
    const overview = command(run);
    withInboxOptions(program).action(() => overview.parseAsync(inboxArgs(program.opts()), { from: "user" }).then(() => {}));
  }
}

const heading = (title: string) => `${title}:`;

/** The program's options, for the command that runs. */
function inboxArgs({ project, once, session }: { project?: string; once?: boolean; session?: string }): string[] {
  return [
    ...(project === undefined ? [] : ["--project", project]),
    ...(once === true ? ["--once"] : []),
    ...(session === undefined ? [] : ["--session", session]),
  ];
}

const programExamples = `
Examples:
  askbox                          the inbox with pending questions
  tmux popup -E askbox --once     the next question, in a popup
  askbox answer k3f9 Tailwind     answer it
  askbox demo                     try it with a demo agent
  askbox setup                    set up the agents on this machine
  askbox help answer              a command's own help and examples

Exit codes: 0 answered or done, 1 failed, 2 wrong usage, 3 cancelled,
  4 timed out or still open, 5 no hub`;

/** Adds a command and makes it and its subcommands report errors as the program does. */
function adopt(program: Command, command: Command): void {
  program.addCommand(command);
  const inherit = (child: Command): void => {
    child.copyInheritedSettings(program);
    for (const grandchild of child.commands) inherit(grandchild);
  };
  inherit(command);
}

/** Rewrites `help token create` to `token create --help`, since Commander's own help command is only one level deep. */
function helpArgs(program: Command, args: readonly string[]): readonly string[] {
  const [help, ...words] = args;
  if (help !== "help") return args;
  if (words[0] === "help") return ["--help"];
  const path = pathOf(program, words);
  return path.length > 1 ? [...path, "--help"] : args;
}

/** The leading words that name a command and its subcommands. */
function pathOf(command: Command, [word, ...rest]: readonly string[]): string[] {
  const named = word === undefined ? undefined : command.commands.find((child) => child.name() === word || child.aliases().includes(word));
  return word === undefined || named === undefined ? [] : [word, ...pathOf(named, rest)];
}

/** The subcommand that a command line names, or asks help for. */
function commandIn(args: readonly string[]): string | undefined {
  const words = wordsOf(args);
  return words[0] === "help" ? (words[1] ?? "help") : words[0];
}

function wordsOf(args: readonly string[]): string[] {
  return args.filter((word, index) => !word.startsWith("-") && !valueOptions.includes(args[index - 1] ?? ""));
}

/** `answer --json FILE` reads JSON; everywhere else `--json` prints it. */
function printsJson(args: readonly string[]): boolean {
  return args.includes("--json") && commandIn(args) !== "answer";
}

/** Commander's message as a sentence: `error: unknown option '--jsno'\n(Did you mean --json?)`. */
function usageOf(error: CommanderError, program: Command, args: readonly string[]): Error {
  const path = pathOf(program, wordsOf(args));
  const see = `See askbox ${path.length === 0 ? "--help" : `help ${path.join(" ")}`}.`;
  // Commander printed the help of a command whose subcommand is missing to a hidden stream.
  if (error.code === "commander.help") {
    const names = program.commands.find((command) => command.name() === path[0])?.commands.map((command) => command.name()) ?? [];
    return usageError(`askbox ${path.join(" ")} takes one of ${names.join(", ")}. ${see}`);
  }
  const [what = "", hint = ""] = error.message.replace(/^error: /, "").split("\n");
  const [before = "", name = "", choices = ""] = what.split(/' is invalid for argument '|'\. Allowed choices are /);
  if (choices !== "") {
    const value = before.slice(before.indexOf("'") + 1);
    return usageError(
      `There is no ${name} ${quote(value)}; ${choices.includes(",") ? "there are" : "there is"} ${choices.replace(/\.$/, "")}. ${see}`,
    );
  }
  const sentence = `${what.charAt(0).toUpperCase()}${what.slice(1).replace(/\.$/, "")}.`;
  return usageError(`${sentence} ${hint === "" ? see : hint.replace(/^\((.*)\)$/, "$1")}`);
}
