import { type AskboxError, toAskboxError } from "@askbox/core";
import type { ClientName } from "@askbox/core/clients";
import type { CommandContext } from "../context.ts";
import type { Candidate } from "./candidates.ts";
import { type Asked, askFirst, firstEntry } from "./first-question.ts";
import type { Installed } from "./install-chosen.ts";

/** How the first question went; undefined if no client has an entry that starts a server. */
export type Tried = { title: string; client: ClientName; command: readonly string[] } & (
  | { kind: "asked"; asked: Asked }
  | { kind: "failed"; error: AskboxError }
);

/** Asks a first question through a client that was just set up, or one that already was. Starts the hub. */
export async function tryOne(
  context: CommandContext,
  candidates: readonly Candidate[],
  installed: readonly Installed[],
  options: { isAnswered: boolean; signal: AbortSignal },
): Promise<Tried | undefined> {
  const ready = candidates.filter(({ state }) => state === "ready");
  const entry = firstEntry(context, [...installed.filter(({ state }) => state === "installed"), ...ready]);
  if (entry === undefined) return undefined;
  const { client, title, launch } = entry;
  const told = { client, title, command: launch.command };
  try {
    return { ...told, kind: "asked", asked: await askFirst(context, await context.desk(), entry, options) };
  } catch (thrown) {
    // Ctrl-C in a terminal also ends the server.
    if (options.signal.aborted) return { ...told, kind: "asked", asked: { kind: "left" } };
    return { ...told, kind: "failed", error: toAskboxError(thrown) };
  }
}
