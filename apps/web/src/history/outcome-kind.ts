import type { EndingKind, SessionView } from "@askbox/core";

/** Undefined for a pending session. */
export function outcomeKindOf({ outcome }: SessionView): EndingKind | undefined {
  if (outcome?.kind === "cancelled" && outcome.by.surface === "asker") return "withdrawn";
  return outcome?.kind;
}
