import type { Checklist, RunChecklistOptions } from "./run-checklist.ts";

/** Shows a checklist until the user confirms it; resolves with the selected ids, or undefined if they left. Needs a terminal. */
export async function askChecklist(list: Checklist, options: RunChecklistOptions = {}): Promise<ReadonlySet<string> | undefined> {
  // Ink is loaded only to show something, as for the inbox.
  const { runChecklist } = await import("./run-checklist.ts");
  return runChecklist(list, options);
}
