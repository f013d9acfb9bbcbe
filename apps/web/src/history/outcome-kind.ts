import type { SessionView } from "@askbox/core";
import type { EndingKind } from "@askbox/core/stores";

/** Undefined for a pending session. */
export function outcomeKindOf({ outcome }: SessionView): EndingKind | undefined {
  if (outcome?.kind === "cancelled" && outcome.by.surface === "asker") return "withdrawn";
  return outcome?.kind;
}
