import type { SessionView } from "@askbox/core";

/** How a session ended; withdrawn by the asker is separate from declined by a person. */
export const outcomeKinds = ["answered", "cancelled", "withdrawn", "timedOut"] as const;
export type OutcomeKind = (typeof outcomeKinds)[number];

/** Undefined for a pending session. */
export function outcomeKindOf({ outcome }: SessionView): OutcomeKind | undefined {
  if (outcome?.kind === "cancelled" && outcome.by.surface === "asker") return "withdrawn";
  return outcome?.kind;
}
