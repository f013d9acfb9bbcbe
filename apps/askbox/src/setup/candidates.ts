import { resolve } from "node:path";
import {
  type ClientStatus,
  clientNamed,
  clientStatuses,
  diffOf,
  type Ledger,
  planInstall,
  planUninstall,
  type System,
  systemOf,
} from "@askbox/clients";
import { toAskboxError } from "@askbox/core";
import type { ClientName } from "@askbox/core/clients";
import { terminalLine, terminalText } from "@askbox/terminal-text";
import { type PreparedInstall, prepareInstall } from "../client/prepare-install.ts";
import type { CommandContext } from "../context.ts";

/*
 * The clients that setup can offer, what setting each up would change, and the change itself. A client whose settings can't be read is offered
 * as blocked, with the problem; one whose files can't all be written gets none of them.
 */

export interface SetupFlags {
  yes?: boolean;
  approvals?: boolean;
  /** Default true. */
  prefer?: boolean;
  json?: boolean;
}

/** A client that is on this machine, or was named. */
export type Candidate = { client: ClientName; title: string } & (
  | { state: "new"; prepared: PreparedInstall }
  /** Set up for the person already, in which file. */
  | { state: "ready"; file: string }
  /** Its settings can't be changed. */
  | { state: "blocked"; problem: string }
);

/** The clients to offer: those that were named, or else those on this machine. Nothing is written. */
export async function findCandidates(context: CommandContext, names: readonly ClientName[], flags: SetupFlags): Promise<Candidate[]> {
  const statuses = clientStatuses(setupSystem(context));
  const offered = statuses.filter(({ client, found, setUp }) => (names.length > 0 ? names.includes(client) : found || setUp.length > 0));
  return Promise.all(offered.map((status) => candidateOf(context, status, flags)));
}

export const setupSystem = ({ io }: Pick<CommandContext, "io">): System => systemOf({ env: io.env, project: resolve(".") });

async function candidateOf(context: CommandContext, { client, title, setUp }: ClientStatus, flags: SetupFlags): Promise<Candidate> {
  const own = setUp.find(({ scope }) => scope === "user");
  if (own !== undefined) return { client, title, state: "ready", file: own.file };
  // The checklist is what asks.
  const { ask: _, ...io } = context.io;
  try {
    const approvals = flags.approvals === true && clientNamed(client).asksForApproval;
    const prepared = await prepareInstall({ ...context, io }, client, { prefer: flags.prefer !== false, approvals });
    return { client, title, state: "new", prepared };
  } catch (thrown) {
    return { client, title, state: "blocked", problem: terminalLine(toAskboxError(thrown).message) };
  }
}

/** What setting it up would do to a file, in a few words and as a diff. */
interface FileEffect {
  path: string;
  action: "create" | "change" | "remove" | "none";
  added: number;
  removed: number;
  diff: readonly string[];
}

export function effectsOf({ plan, setup: { system } }: PreparedInstall): FileEffect[] {
  return plan.steps
    .filter(({ action }) => action !== "none")
    .map((step) => {
      // Without its two lines of names.
      const diff = terminalText(diffOf(step)).trimEnd().split("\n").slice(2);
      const count = (mark: string) => diff.filter((line) => line.startsWith(mark)).length;
      return { path: shortPath(step.path, system), action: step.action, added: count("+"), removed: count("-"), diff };
    });
}

/** A path as people write it. */
export const shortPath = (path: string, { home }: Pick<System, "home">): string =>
  terminalLine(path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path);

/** What became of a client. */
export type Installed = { client: ClientName; title: string } & (
  | { state: "installed"; files: { path: string; action: string }[]; notes: string[] }
  | { state: "failed"; problem: string }
);

/**
 * Sets up the chosen clients, without a pause in which the program could be ended between two files. A client whose files can't all be
 * written gets none of them. `openLedger` reads what the client before has added to the records.
 */
export function installChosen(candidates: readonly Candidate[], chosen: ReadonlySet<string>, openLedger: () => Ledger): Installed[] {
  return candidates.flatMap((candidate): Installed[] => {
    if (candidate.state !== "new" || !chosen.has(candidate.client)) return [];
    const { client, title, prepared } = candidate;
    const { setup, modeNotes } = prepared;
    const { system, scope } = setup;
    const ledger = openLedger();
    try {
      // Planned again, since two clients may share a file.
      const { steps, notes } = planInstall({ ledger, client, setup });
      for (const step of steps) step.carryOut();
      const files = steps.filter(({ action }) => action !== "none").map(({ path, action }) => ({ path: shortPath(path, system), action }));
      return [{ client, title, state: "installed", files, notes: [...notes, ...modeNotes] }];
    } catch (thrown) {
      const problems = [thrown];
      try {
        for (const step of planUninstall({ ledger, client, system, scope }).steps) step.carryOut();
      } catch (left) {
        problems.push(left);
      }
      return [{ client, title, state: "failed", problem: problems.map((each) => terminalLine(toAskboxError(each).message)).join(" ") }];
    }
  });
}
