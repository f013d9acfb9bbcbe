import type { Client, Scope, System } from "@askbox/clients";
import type { CommandContext } from "../context.ts";
import { usageError } from "../usage.ts";
import type { InstallFlags } from "./install-flags.ts";

/** Whether `install` should make the client ask before it acts, and what the person should know about that. */
export interface AskFirst {
  askFirst: boolean;
  notes: string[];
}

/**
 * Some clients by default decide most requests by themselves, so that none comes to the inbox. The person says whether to change that: with a
 * flag, or at the terminal if they have not chosen anything in the client's settings. What an earlier install has set stays.
 */
export async function chooseAskFirst(
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
  return { askFirst: false, notes: [`${why}; those don't come to the inbox. --ask-first sets ${at} to "${mode.asking}".`] };

  async function consent(): Promise<boolean> {
    if (io.ask === undefined || flags.dryRun || flags.json) return false;
    const question = `${title} starts in its auto mode, in which it decides most requests by itself and few come to the inbox.\nSet ${at} to "${mode?.asking}" in ${file}, so that it asks? [y/N] `;
    return /^y(es)?$/i.test((await io.ask(question)).trim());
  }
}
