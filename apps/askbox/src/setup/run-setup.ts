import { openLedger } from "@askbox/clients";
import { isAskboxError } from "@askbox/core";
import { type ClientName, clientNames, shellWord } from "@askbox/core/clients";
import { homeFiles, homeFolders } from "@askbox/home";
import { terminalLine } from "@askbox/terminal-text";
import type { Checklist, PreviewLine } from "@askbox/tui";
import { copyableCommand } from "../client/launch.ts";
import type { CommandContext } from "../context.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { writeJson } from "../json-output.ts";
import { wrap } from "../text/layout.ts";
import { type Paint, paintFor } from "../text/paint.ts";
import { usageError } from "../usage.ts";
import {
  type Candidate,
  effectsOf,
  findCandidates,
  type Installed,
  installChosen,
  type SetupFlags,
  setupSystem,
  shortPath,
} from "./candidates.ts";
import { places, type Tried, tryOne } from "./first-question.ts";

/*
 * `askbox setup`: finds the clients, lets the person choose, sets the chosen ones up, asks a first question through one of them, and says how
 * all that went. A client that can't be set up doesn't stop the others. Nothing is written before the choice; without a terminal there is no
 * choice, so that `--yes` is needed.
 */

/**
 * Finds the clients, lets the person choose, sets those up, starts the hub, and asks a first question through one client's own entry. Resolves
 * with the exit code: 3 if the person left, 1 if a client could not be set up or the question didn't arrive.
 */
export async function runSetup(context: CommandContext, names: readonly ClientName[], flags: SetupFlags): Promise<ExitCode> {
  const candidates = await findCandidates(context, names, flags);
  if (candidates.length === 0) {
    const known = clientNames.join(", ");
    throw usageError(`None of the clients that askbox knows is on this machine. Name one to set it up all the same: ${known}.`);
  }
  const report = new SetupReport(context);
  const files = homeFiles(homeFolders({ env: context.io.env }));
  const chosen = await choose(context, report, candidates, flags);
  if (chosen === undefined) {
    await report.say("Nothing was changed.");
    return exitCodes.cancelled;
  }
  const stop = new AbortController();
  const stopListening = context.onInterrupt(() => stop.abort());
  try {
    const installed = [...installChosen(candidates, chosen, () => openLedger(files)), ...(flags.yes ? blockedOf(candidates) : [])];
    if (!flags.json) await report.installed(installed);
    const tried = await tryOne(context, candidates, installed, { isAnswered: !flags.yes, signal: stop.signal });
    if (flags.json) await writeJson(context.io.stdout, documentOf(candidates, installed, tried));
    else await report.tried(tried, installed, (await context.asksElsewhere())?.url);
    return exitCodeOf(installed, tried);
  } finally {
    stopListening();
  }
}

/** The clients to set up; undefined if the person left. */
async function choose(
  context: CommandContext,
  report: SetupReport,
  candidates: readonly Candidate[],
  { yes }: SetupFlags,
): Promise<ReadonlySet<string> | undefined> {
  const free = new Set<string>(candidates.filter(({ state }) => state === "new").map(({ client }) => client));
  if (yes) return free;
  if (context.checklist !== undefined) return context.checklist(setupChecklist(candidates, setupSystem(context).home));
  await report.preview(previewLines(candidates, free, false));
  throw usageError("There is no terminal to choose in, and nothing was changed. To set these clients up, add --yes.");
}

/** Without a person who has seen it, a client that can't be set up counts as a failure. */
const blockedOf = (candidates: readonly Candidate[]): Installed[] =>
  candidates.flatMap((candidate) => (candidate.state === "blocked" ? [{ ...candidate, state: "failed" as const }] : []));

function exitCodeOf(installed: readonly Installed[], tried: Tried | undefined): ExitCode {
  if (tried?.kind === "failed") return isAskboxError(tried.error, "HUB_UNREACHABLE") ? exitCodes.noHub : exitCodes.failed;
  if (installed.some(({ state }) => state === "failed")) return exitCodes.failed;
  if (tried === undefined) return exitCodes.done;
  const { asked } = tried;
  if (asked.kind === "left") return exitCodes.cancelled;
  if (asked.kind === "arrived" || asked.result.answered) return exitCodes.done;
  return asked.result.cancelled ? exitCodes.cancelled : exitCodes.timed_out;
}

function documentOf(candidates: readonly Candidate[], installed: readonly Installed[], tried: Tried | undefined) {
  const clients = candidates.map(({ client, state, ...rest }) => {
    const now = installed.find((each) => each.client === client);
    if (now !== undefined)
      return { client, state: now.state, ...(now.state === "installed" ? { files: now.files } : { problem: now.problem }) };
    return { client, state, ...("problem" in rest && { problem: rest.problem }) };
  });
  const question =
    tried === undefined
      ? null
      : {
          client: tried.client,
          command: tried.command,
          ...(tried.kind === "failed" ? { error: terminalLine(tried.error.message) } : { arrived: true }),
        };
  return { clients, question };
}

const verbs = { create: "create", change: "change", remove: "remove", none: "leave" } as const;

/** The one screen of `askbox setup`: which clients, and what that changes. */
function setupChecklist(candidates: readonly Candidate[], home: string): Checklist {
  const free = candidates.filter((candidate) => candidate.state === "new").map(({ client }) => client);
  const isAnyReady = candidates.some(({ state }) => state === "ready");
  return {
    title: "askbox setup",
    intro:
      free.length > 0
        ? "These clients are on this machine. askbox is added to the selected ones, and a first question is asked through one of them."
        : "askbox is set up in every client here that it can be. A first question is asked through one of them.",
    choices: candidates.map((candidate) => ({
      id: candidate.client,
      label: candidate.title,
      isFixed: candidate.state !== "new",
      ...(candidate.state === "ready" && { note: `set up: ${shortPath(candidate.file, { home })}` }),
      ...(candidate.state === "blocked" && { note: "can't be set up, see below" }),
    })),
    selected: free,
    preview: (selected, whole) => previewLines(candidates, selected, whole),
    confirm(selected) {
      if (selected.size > 0) return `set up ${selected.size}`;
      return isAnyReady ? "ask a first question" : undefined;
    },
  };
}

/** What the selected clients' files would become, and what is in the way of others. */
function previewLines(candidates: readonly Candidate[], selected: ReadonlySet<string>, whole: boolean): PreviewLine[] {
  const changes = candidates.flatMap((candidate): PreviewLine[] => {
    if (candidate.state !== "new" || !selected.has(candidate.client)) return [];
    const { plan, modeNotes } = candidate.prepared;
    const files = effectsOf(candidate.prepared).flatMap(({ path, action, added, removed, diff }): PreviewLine[] => {
      const counts: PreviewLine["spans"] = [
        { text: `+${added}`, token: "success" },
        { text: removed > 0 ? ` -${removed}` : "", token: "error" },
      ];
      return [{ indent: 2, spans: [{ text: `${verbs[action]}  ${path}  ` }, ...counts] }, ...(whole ? diff.map(diffLine) : [])];
    });
    const notes = [...plan.notes, ...modeNotes].map((text): PreviewLine => ({ indent: 2, spans: [{ text, token: "dim" }] }));
    return [{ spans: [{ text: candidate.title, token: "heading" }] }, ...files, ...notes];
  });
  const problems = candidates.flatMap((candidate): PreviewLine[] => {
    if (candidate.state !== "blocked") return [];
    return [{ spans: [{ text: candidate.title, token: "heading" }] }, { indent: 2, spans: [{ text: candidate.problem, token: "error" }] }];
  });
  const head = changes.length === 0 ? "Nothing is changed." : "What is changed; `askbox uninstall CLIENT` restores it:";
  return [{ spans: [{ text: head, token: "dim" }] }, ...changes, ...problems];
}

const tokens = { "+": "success", "-": "error", "@": "accent" } as const;

const diffLine = (text: string): PreviewLine => ({
  indent: 4,
  spans: [{ text, token: tokens[text.charAt(0) as keyof typeof tokens] ?? "dim" }],
});

// keys: what a plan does with a file.
const words: Readonly<Record<string, string>> = { create: "wrote", change: "changed", remove: "removed" };

/** What `askbox setup` prints, wrapped to the terminal. */
class SetupReport {
  readonly #context: CommandContext;
  readonly #paint: Paint;
  /** How to type this command. */
  readonly #program: string;

  constructor(context: CommandContext) {
    this.#context = context;
    this.#paint = paintFor(context.io.stdout);
    const { argv, execPath, execArgv, platform } = process;
    this.#program = copyableCommand({ env: context.io.env, argv, execPath, execArgv, platform });
  }

  async say(sentence: string): Promise<void> {
    await this.#write([sentence]);
  }

  async preview(lines: readonly PreviewLine[]): Promise<void> {
    await this.#write(lines.map(({ indent = 0, spans }) => " ".repeat(indent) + spans.map(({ text }) => text).join("")));
  }

  async installed(installed: readonly Installed[]): Promise<void> {
    const lines = installed.flatMap((each) => {
      if (each.state === "failed") return [this.#paint("red", `${each.title} is not set up.`), `  ${each.problem}`];
      const files = each.files.map(({ path, action }) => `  ${words[action] ?? action} ${path}`);
      return [this.#paint("bold", `${each.title} is set up.`), ...files, ...each.notes.map((note) => `  ${terminalLine(note)}`)];
    });
    if (lines.length > 0) await this.#write([...lines, ""]);
  }

  async tried(tried: Tried | undefined, installed: readonly Installed[], elsewhere: string | undefined): Promise<void> {
    const done = installed.filter(({ state }) => state === "installed");
    const nobodyHere = `No first question: what agents here ask is answered at the hub at ${terminalLine(elsewhere ?? "")}.`;
    const lines = [...(tried === undefined && elsewhere !== undefined ? [nobodyHere] : this.#outcome(tried)), ""];
    if (done.length > 0) lines.push(`Restart ${done.map(({ title }) => title).join(", ")}, and tell an agent to ask you something.`);
    const next = this.#next(
      tried,
      done.map(({ client }) => client),
    );
    for (const [what, line] of elsewhere === undefined ? next : next.slice(1)) lines.push(`${what} ${this.#paint("cyan", line)}`);
    await this.#write(lines);
  }

  #outcome(tried: Tried | undefined): string[] {
    if (tried === undefined) return ["No first question: no client here starts askbox by itself."];
    const { title, command } = tried;
    const line = command.map((word) => shellWord(word) ?? JSON.stringify(word)).join(" ");
    const from = `${title}'s entry starts this, which asked a first question:`;
    if (tried.kind === "failed")
      return [from, `  ${line}`, this.#paint("red", terminalLine(tried.error.message)), `Run ${this.#program} doctor.`];
    return [from, `  ${line}`, this.#paint("green", this.#end(tried))];
  }

  #end({ asked }: Extract<Tried, { kind: "asked" }>): string {
    if (asked.kind === "left") return "It was left unanswered, and nobody waits for it. What was set up stays.";
    if (asked.kind === "arrived") return "It arrived in the inbox, was withdrawn, and its agent was told so. Agents can ask you now.";
    const { result, value } = asked;
    if (result.answered) {
      const label = places.find((place) => place.value === value)?.label ?? value ?? "";
      return `You answered "${terminalLine(label)}", and its agent got that in the same call.`;
    }
    return result.cancelled ? "You declined it, and its agent was told so." : "Nobody answered it in time, and its agent was told so.";
  }

  #next(tried: Tried | undefined, clients: readonly string[]): [string, string][] {
    const value = tried?.kind === "asked" && tried.asked.kind === "returned" ? tried.asked.value : undefined;
    const answers = { browser: "open", phone: "open --qr", shell: "list" }[value ?? ""];
    const [first] = clients;
    return [
      ["To answer:", answers === undefined ? this.#program : `${this.#program} ${answers}`],
      ...(first === undefined
        ? []
        : [["To undo it:", `${this.#program} uninstall ${clients.length === 1 ? first : "CLIENT"}`] as [string, string]]),
    ];
  }

  async #write(lines: readonly string[]): Promise<void> {
    const { stdout } = this.#context.io;
    const indented = (line: string) => wrap(line, stdout.columns, /^ */.exec(line)?.[0].length ?? 0);
    await stdout.write(`${lines.map(indented).join("\n")}\n`);
  }
}
