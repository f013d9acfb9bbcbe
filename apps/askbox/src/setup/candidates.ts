import { resolve } from "node:path";
import { type ClientStatus, clientNamed, clientStatuses, diffOf, type System, systemOf } from "@askbox/clients";
import { toAskboxError } from "@askbox/core";
import type { ClientName } from "@askbox/core/clients";
import { terminalLine, terminalText } from "@askbox/terminal-text";
import { type PreparedInstall, prepareInstall } from "../client/prepare-install.ts";
import type { CommandContext } from "../context.ts";

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
    const approvals = flags.approvals === true && clientNamed(client).approvals !== undefined;
    const prepared = await prepareInstall({ ...context, io }, client, { prefer: flags.prefer !== false, approvals });
    return { client, title, state: "new", prepared };
  } catch (thrown) {
    return { client, title, state: "blocked", problem: terminalLine(toAskboxError(thrown).message) };
  }
}

/** What setting it up would do to a file, in a few words and as a diff. */
export interface FileEffect {
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
