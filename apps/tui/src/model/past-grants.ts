import type { AskerInfo, Question } from "@askbox/core";
import { type GrantDraft, type PastApproval, wouldHaveAllowed } from "@askbox/core/grants";
import { terminalLine, truncateLine } from "@askbox/terminal-text";

/** What agents asked for before, where a grant is about to be made. */
export interface PastActions {
  session: string;
  all: readonly PastApproval[];
}

/** Comparing reads up to 50 actions of 256 KB, and a frame is drawn with every key. */
const known = new WeakMap<readonly PastApproval[], Map<string, string>>();
const maxKnown = 100;
const maxNames = 3;

/** What a grant would have allowed of the last actions; undefined as long as these are not known. */
export function pastWords(
  past: PastActions | undefined,
  { id, asker }: { id: string; asker: AskerInfo },
  question: Question,
  { scope, prefix }: GrantDraft,
): string | undefined {
  if (past?.session !== id || !("action" in question)) return undefined;
  const kept = known.get(past.all) ?? new Map<string, string>();
  known.set(past.all, kept);
  const key = `${question.id} ${scope} ${prefix ?? "\n"}`;
  const words = kept.get(key) ?? wordsFor(past.all, { asker, action: question.action }, { scope, prefix });
  if (kept.size >= maxKnown) kept.clear();
  kept.set(key, words);
  return words;
}

function wordsFor(all: readonly PastApproval[], now: PastApproval, draft: GrantDraft): string {
  if (all.length === 0) return "No other actions were asked for here yet.";
  const found = wouldHaveAllowed(all, now, draft);
  const of =
    all.length === 1 ? "the only action that was asked for here before" : `the last ${all.length} actions that were asked for here`;
  if (found.length === 0) return `It would have allowed none of ${of}.`;
  const names = [...new Set(found.map(({ command, title, tool }) => truncateLine(terminalLine(command ?? title ?? tool ?? ""), 30)))];
  const named = draft.prefix === undefined ? "" : `: ${names.slice(0, maxNames).join("; ")}${names.length > maxNames ? "; …" : ""}`;
  return `It would have allowed ${all.length === 1 ? "" : `${found.length} of `}${of}${named}.`;
}
