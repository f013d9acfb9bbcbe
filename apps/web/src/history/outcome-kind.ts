import type { SessionView } from "@askbox/core";

/** How a session ended, with what the asker took back kept apart from what a person turned down. */
export const outcomeKinds = ["answered", "cancelled", "withdrawn", "timedOut"] as const;
export type OutcomeKind = (typeof outcomeKinds)[number];

/** Nothing for a session that is pending. */
export function outcomeKindOf({ outcome }: SessionView): OutcomeKind | undefined {
  if (outcome?.kind === "cancelled" && outcome.by.surface === "asker") return "withdrawn";
  return outcome?.kind;
}
