import type { SessionView } from "@askbox/core";
import { isDenied } from "@askbox/core/questions";
import type { EndingKind } from "@askbox/core/stores";

/** Undefined for a pending session. */
export function outcomeKindOf(session: SessionView): EndingKind | "denied" | undefined {
  const { outcome } = session;
  if (isDenied(session)) return "denied";
  if (outcome?.kind === "cancelled" && outcome.by.surface === "asker") return "withdrawn";
  return outcome?.kind;
}
