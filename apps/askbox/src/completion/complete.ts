import type { SessionView } from "@askbox/core";
import { offeredOptions } from "@askbox/core/questions";
import { type Argument, Command, Option } from "commander";
import { commandList } from "../command-list.ts";
import { shorten } from "../text/layout.ts";
import { headline, shortId } from "../text/session-names.ts";

/** Words that need no quoting in any shell. */
const plainWord = /^[\w./:@%+][\w./:@%+-]*$/;

/** One possible completion. */
interface Candidate {
  word: string;
  about: string;
}

export interface Completions {
  candidates: Candidate[];
  /** Whether a file name is expected here. */
  files: boolean;
}

/** Completions other than the commands themselves. */
export interface CompletionSources {
  pending(): Promise<SessionView[]>;
  settings(): Promise<string[]>;
  /** Ids of agents that are registered or have asked something. */
  agents(): Promise<string[]>;
}

/**
 * Completes the last word, which may be empty. The completions come from the commands' own definitions, so they always match what the
 * commands accept.
 */
export async function complete(typed: readonly string[], sources: CompletionSources): Promise<Completions> {
  // Bash splits --flag=value at the equals sign.
  const words = typed.filter((word, index) => word !== "=" || index === typed.length - 1);
  const current = words.at(-1) === "=" ? "" : (words.at(-1) ?? "");
  const before = words.slice(0, -1);
  const joined = /^(--[\w-]+=)(.*)$/s.exec(current);
  const [prefix, start] = joined === null ? ["", current] : [joined[1] ?? "", joined[2] ?? ""];
  const line = await readBefore(joined === null ? before : [...before, prefix.slice(0, -1)]);
  const offer = await offerFor(line, start, sources);
  const candidates = offer.candidates.filter(({ word }) => word.startsWith(start));
  return { candidates: candidates.map(({ word, about }) => ({ word: prefix + word, about })), files: offer.files };
}

/** A command line up to the word being completed. */
interface Line {
  command: Command;
  /** The option whose value is being completed. */
  option: Option | undefined;
  positionals: string[];
  options: Set<string>;
  /** After `--` nothing is an option. */
  isLiteral: boolean;
}

async function readBefore(words: readonly string[]): Promise<Line> {
  const line: Line = { command: root(), option: undefined, positionals: [], options: new Set(), isLiteral: false };
  for (const [index, word] of words.entries()) {
    if (line.option !== undefined) line.option = undefined;
    else if (line.isLiteral) line.positionals.push(word);
    else if (word === "--") line.isLiteral = true;
    else if (word.startsWith("-")) {
      const [name = ""] = word.split("=");
      const option = optionsOf(line.command).find(({ long, short }) => long === name || short === name);
      line.options.add(option?.long ?? name);
      if (option?.required && !word.includes("=")) line.option = option;
    } else line.command = (await childOf(line, word, words[index + 1])) ?? positional(line, word);
  }
  return line;
}

async function childOf({ command, positionals }: Line, word: string, next: string | undefined): Promise<Command | undefined> {
  if (positionals.length > 0) return undefined;
  const child = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
  if (child === undefined || command.parent !== null || command.name() !== "askbox") return child;
  const listed = commandList.find(({ name }) => name === child.name());
  return listed === undefined ? child : (await listed.load()).command(() => async () => {}, next);
}

function positional(line: Line, word: string): Command {
  line.positionals.push(word);
  return line.command;
}

async function offerFor(line: Line, start: string, sources: CompletionSources): Promise<Completions> {
  const { command, option, positionals, options, isLiteral } = line;
  if (option !== undefined) return option.long === "--agent" ? agentsOf(sources) : valuesOf(option);
  if (start.startsWith("-") && !isLiteral) {
    const open = optionsOf(command).filter(
      ({ long, hidden, parseArg }) => !hidden && long && (parseArg?.name === "repeated" || !options.has(long)),
    );
    return words(open.map(({ long, description }) => ({ word: long ?? "", about: description })));
  }
  if (positionals.length === 0 && command.commands.length > 0) {
    return words(command.commands.map((child) => ({ word: child.name(), about: child.summary() })));
  }
  const { registeredArguments } = command;
  const argument =
    registeredArguments[positionals.length] ?? (registeredArguments.at(-1)?.variadic ? registeredArguments.at(-1) : undefined);
  return argument === undefined ? words([]) : argumentsOf(argument, positionals, sources);
}

async function argumentsOf(argument: Argument, positionals: readonly string[], sources: CompletionSources): Promise<Completions> {
  if (argument.argChoices !== undefined) return words(argument.argChoices.map((word) => ({ word, about: "" })));
  switch (argument.name()) {
    case "id":
      return words((await sources.pending()).map((session) => ({ word: shortId(session.id), about: shorten(headline(session), 60) })));
    case "agent":
      return agentsOf(sources);
    case "key":
      return words((await sources.settings()).map((word) => ({ word, about: "" })));
    case "value":
      return words(answersOf((await sources.pending()).find(({ id }) => positionals[0] && id.startsWith(positionals[0]))));
    default:
      return words([]);
  }
}

/** Omits names that need quoting, since agents choose their own names. */
async function agentsOf(sources: CompletionSources): Promise<Completions> {
  const ids = (await sources.agents()).filter((id) => plainWord.test(id));
  return words([...new Set(ids)].map((word) => ({ word, about: "" })));
}

/** The options of a single question. Omits those that need quoting, since they come from an agent. */
function answersOf(session: SessionView | undefined): Candidate[] {
  const [question, ...more] = session?.questions ?? [];
  if (question === undefined || more.length > 0) return [];
  return offeredOptions(question)
    .map(({ label, shortcut }) => ({ word: shortcut ?? label, about: "" }))
    .filter(({ word }) => plainWord.test(word));
}

/** Uses the option's own parser, or the name of its value in the help. */
function valuesOf({ argChoices, parseArg, flags }: Option): Completions {
  const placeholder = /<([^<>]+)>/.exec(flags)?.[1] ?? "";
  const read = parseArg as { words?: readonly string[] } | undefined;
  const choices = argChoices ?? read?.words ?? (placeholder.includes("|") ? placeholder.split("|") : []);
  return { candidates: choices.map((word) => ({ word, about: "" })), files: /^(file|folder)$/.test(placeholder) };
}

const words = (candidates: Candidate[]): Completions => ({ candidates, files: false });

/** The program as far as it is known without loading its commands. */
function root(): Command {
  const program = new Command("askbox");
  for (const { name, alias, summary } of commandList) {
    const command = new Command(name).summary(summary);
    if (alias !== undefined) command.alias(alias);
    program.addCommand(command);
  }
  const help = new Command("help").summary("Show a command's help").argument("[command]");
  for (const argument of help.registeredArguments) argument.choices(commandList.map(({ name }) => name));
  return program.addCommand(help);
}

const everywhere = [
  new Option("--hub <url>", "use the hub at this address"),
  new Option("--token-file <file>", "read the token for it from this file"),
  new Option("-h, --help", "show help"),
];

function optionsOf(command: Command): Option[] {
  const version = command.name() === "askbox" ? [new Option("-v, --version", "print the version")] : [];
  return [...command.options, ...everywhere, ...version];
}
