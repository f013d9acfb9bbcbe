import { resolve } from "node:path";
import {
  type Client,
  clientNamed,
  type FeedbackEntry,
  feedbackEntries,
  httpReach,
  type Ledger,
  maxWaitOf,
  openLedger,
  ownerOf,
  type Plan,
  planInstall,
  type Reach,
  replaceable,
  type Scope,
  type Setup,
  type System,
  skillTexts,
  stdioReach,
  systemOf,
  valueAt,
} from "@askbox/clients";
import { wakeWays } from "@askbox/clients/wake";
import { AskboxError } from "@askbox/core";
import { type ClientName, shellWord } from "@askbox/core/clients";
import { quote } from "@askbox/core/schemas";
import { homeFiles, homeFolders, loadConfig } from "@askbox/home";
import { type DialectName, dialectNames, isDialectName } from "@askbox/mcp";
import type { CommandContext } from "../context.ts";
import { usageError } from "../usage.ts";
import { clientLaunch, launchHost } from "./launch.ts";

/*
 * What `askbox install` would write for a client, and whether the client should be made to ask first. Nothing is written here. Throws for flags
 * that the client can't take, and for settings that it can't read.
 */

/** Stands for a token that is created once the plan is good. */
const laterToken = "abx_to-be-made";

/** What setting up a client would do. Nothing is written yet. */
export interface PreparedInstall {
  ledger: Ledger;
  /** To plan again, after what was on disk or how the client connects has changed. */
  setup: Setup;
  plan: Plan;
  /** For a client that takes its token from its own file: the one there, and how it connects with another. */
  token: { present: string | undefined; reach(token: string): Promise<Reach> } | undefined;
  /** What the person should know about the mode in which the client decides by itself. */
  modeNotes: string[];
  /** The entries of feedback servers that it replaces, by name. */
  replaced: readonly string[];
}

/** Throws `VALIDATION` for what the client doesn't support, and for a file that can't be changed. */
export async function prepareInstall(context: CommandContext, client: ClientName, flags: InstallFlags): Promise<PreparedInstall> {
  const { io } = context;
  const scope = flags.scope ?? "user";
  const known = clientNamed(client);
  const system = systemOf({ env: io.env, project: resolve(flags.project ?? ".") });
  const ledger = openLedger(homeFiles(homeFolders({ env: io.env })));
  const entries = flags.replace ? entriesToReplace(ledger, known, system, scope) : [];
  const [timeout] = entries.flatMap((entry) => entry.timeout ?? []);
  const named = [...new Set(entries.flatMap((entry) => entry.tools))];
  const tools = readTools(flags.tools) ?? (named.length > 0 ? named : known.tools);
  const reach = (token?: string) => reachFor(context, known, { tools, timeout }, flags, token);
  const token = flags.http && !known.tokenFromEnvironment ? { present: tokenInFile(known, system, scope), reach } : undefined;
  const setup: Setup = {
    scope,
    system,
    tools,
    reach: await reach(token && (token.present ?? laterToken)),
    prefer: flags.prefer === true || flags.exclusive === true,
    exclusive: flags.exclusive === true,
    optional: flags.optional === true,
    hookCommand: flags.withHooks ? hookLine(context, client, "--with-hooks") : undefined,
    approvals: flags.approvals ? hookLine(context, client, "--approvals") : undefined,
    ran: flags.ran === true,
    overruled: flags.approvals ? overruledLine(context, client) : undefined,
    wake: wakeWays[client]?.listens !== undefined && !flags.http ? `${hookLine(context, client, "its hook")} --wake` : undefined,
    askFirst: false,
    trusted: undefined,
    replace: entries.map(({ at }) => at),
    skill: flags.skill ? skillTexts(tools) : undefined,
  };
  if (flags.approvals && !known.asksForApproval) {
    throw usageError(
      `${known.title} has no reliable way to answer its permission requests from outside; --approvals is for claude-code, codex, opencode and copilot-cli.`,
    );
  }
  if (setup.ran && (known.reportsCalls !== true || !flags.approvals)) throw usageError("--ran is for claude-code, with --approvals.");
  if (setup.optional && known.takesOptional !== true) {
    throw usageError(`${known.title} starts even if askbox's program is missing; --optional is for codex. Remove it.`);
  }
  const mode = await chooseAskFirst(context, known, { system, scope, flags });
  setup.askFirst = mode.askFirst;
  let plan = planInstall({ ledger, client, setup });
  if (flags.approvals && known.trust !== undefined) {
    setup.trusted = await known.trust(setup, new Map(plan.steps.map(({ path, after }) => [path, after])));
    plan = planInstall({ ledger, client, setup });
  }
  const replaced = [...new Set(entries.map(({ name }) => name))];
  const { config } = loadConfig({ folders: homeFolders({ env: io.env }), env: io.env });
  const ranNotes =
    setup.ran && config.ran === null ? ["The hub keeps what ran without you once you run `askbox config set ran 7d` where it runs."] : [];
  return { ledger, setup, plan, token, modeNotes: [...mode.notes, ...ranNotes], replaced };
}

/** Throws `VALIDATION` if there is nothing to replace. */
function entriesToReplace(ledger: Ledger, client: Client, system: System, scope: Scope): FeedbackEntry[] {
  const found = feedbackEntries({ ledger, client, system, scope, owner: ownerOf(ledger, client, { system, scope, by: "person" }) });
  if (found.length > 0) return found;
  const file = client.file(system, scope) ?? `${client.title}'s settings`;
  throw new AskboxError(
    "VALIDATION",
    `${file} has no entry of ${replaceable.join(", ")}; leave --replace out to add askbox, or look elsewhere with --scope or --project.`,
  );
}

function tokenInFile(client: Client, system: System, scope: Scope): string | undefined {
  const file = client.file(system, scope);
  const entry = file && valueAt(system.settings(file), client.entryAt(system, file));
  return /"Bearer (abx_[\w-]+)"/.exec(JSON.stringify(entry ?? null))?.[1];
}

/** How the client reaches askbox. */
async function reachFor(
  context: CommandContext,
  known: Client,
  { tools, timeout }: { tools: readonly DialectName[]; timeout: number | undefined },
  flags: InstallFlags,
  token: string | undefined,
): Promise<Reach> {
  const { io, globals } = context;
  const maxWait = flags.maxWait ?? maxWaitOf(known);
  // The client's own tool is denied in that case.
  const fallback = flags.exclusive ? "chat" : undefined;
  if (!flags.http) {
    const launch = clientLaunch(launchHost(process, io.env));
    const { hub, tokenFile } = globals;
    return stdioReach({ launch, tools, maxWait, fallback, timeout, agent: flags.agent, hub, tokenFile, env: io.env, cwd: process.cwd() });
  }
  const { hubAddress } = await import("./hub-access.ts");
  const hub = await hubAddress(context, { start: !flags.dryRun });
  return httpReach({ hub, tools, maxWait, fallback, timeout, agent: flags.agent, token });
}

/** The command line for a client's hook. The client's shell may have another home folder. */
function hookLine({ io }: CommandContext, client: ClientName, flag: string): string {
  const home = io.env["ASKBOX_HOME"];
  const quoted = (word: string): string => {
    const safe = shellWord(word);
    if (safe === undefined) throw usageError(`The path ${quote(word)} can't be used in a shell command; choose another for ${flag}.`);
    return safe;
  };
  const line = [...clientLaunch(launchHost(process, io.env)), "hook", client].map(quoted).join(" ");
  return home ? `ASKBOX_HOME=${quoted(resolve(home))} ${line}` : line;
}

/** The same for the hook before every call, which starts a program only while a denied call may be let through. */
function overruledLine(context: CommandContext, client: ClientName): string {
  const line = hookLine(context, client, "--approvals");
  const mark = shellWord(homeFiles(homeFolders({ env: context.io.env })).overruled);
  return mark === undefined ? `${line} --overruled` : `[ ! -e ${mark} ] || ${line} --overruled`;
}

/** Whether `install` should make the client ask before it acts, and what the person should know about that. */
interface AskFirst {
  askFirst: boolean;
  notes: string[];
}

/**
 * Some clients by default decide most requests by themselves, so that none comes to the inbox. The person says whether to change that: with a
 * flag, or at the terminal if they have not chosen anything in the client's settings. What an earlier install has set stays.
 */
async function chooseAskFirst(
  { io }: Pick<CommandContext, "io">,
  { title, mode }: Client,
  { system, scope, flags }: { system: System; scope: Scope; flags: InstallFlags },
): Promise<AskFirst> {
  if (flags.askFirst === true && (mode === undefined || !flags.approvals)) {
    throw usageError("--ask-first is for claude-code, with --approvals. Other clients ask by default.");
  }
  if (mode === undefined || !flags.approvals) return { askFirst: false, notes: [] };
  const { file, at, value } = mode.read(system, scope);
  const isAsking = mode.asks(value);
  const choice = flags.askFirst ?? (isAsking || (value === undefined ? await consent() : false));
  if (choice) return { askFirst: true, notes: [] };
  const why =
    value === undefined || isAsking
      ? `${title} starts in its auto mode, in which it decides most requests by itself`
      : `${at} is ${JSON.stringify(value)} in ${file}, so ${title} decides some requests by itself`;
  const isAuto = value === undefined || isAsking || value === "auto";
  const come = isAuto ? "of those, only what it denies comes to the inbox" : "those don't come to the inbox";
  return { askFirst: false, notes: [`${why}; ${come}. --ask-first sets ${at} to "${mode.asking}".`] };

  async function consent(): Promise<boolean> {
    if (io.ask === undefined || flags.dryRun || flags.json) return false;
    const question = `${title} starts in its auto mode, in which it decides most requests by itself and few come to the inbox.\nSet ${at} to "${mode?.asking}" in ${file}, so that it asks? [y/N] `;
    return /^y(es)?$/i.test((await io.ask(question)).trim());
  }
}

export interface InstallFlags {
  scope?: Scope;
  project?: string;
  http?: boolean;
  tools?: string;
  agent?: string;
  maxWait?: number;
  prefer?: boolean;
  exclusive?: boolean;
  optional?: boolean;
  withHooks?: boolean;
  approvals?: boolean;
  ran?: boolean;
  askFirst?: boolean;
  skill?: boolean;
  replace?: boolean;
  worktree?: string;
  list?: boolean;
  dryRun?: boolean;
  json?: boolean;
}

export function readTools(text: string | undefined): DialectName[] | undefined {
  if (text === undefined) return undefined;
  const names = text.split(",").map((name) => name.trim());
  return names.map((name) => {
    if (!isDialectName(name)) throw usageError(`--tools: there is no tool ${quote(name)}; choose from ${dialectNames.join(", ")}.`);
    return name;
  });
}
