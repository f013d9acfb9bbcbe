import type { SessionView } from "@askbox/core";
import { isAskboxError } from "@askbox/core/transport";
import { useEffect, useState } from "react";
import { Attendance } from "../inbox/attendance.ts";
import { useAskbox } from "./askbox-context.ts";
import { useInbox } from "./use-inbox.ts";

/** The result of `useSession`. */
export interface SessionLookup {
  session: SessionView | undefined;
  /** `missing`: the hub has no such session. */
  state: "found" | "loading" | "missing";
}

/**
 * A session, which counts as open here (its asker and others can see this) once the component has been on the screen for a second. `isShown`
 * is false while nobody can see it, as on a page in the background.
 */
export function useSession(id: string, { isShown = true }: { isShown?: boolean } = {}): SessionLookup {
  const { desk, inbox, clock } = useAskbox();
  const { pending, settled, ready } = useInbox();
  const session = pending.get(id) ?? settled.get(id);
  const [missing, setMissing] = useState<string>();
  const isPending = pending.has(id);

  useEffect(() => {
    const attendance = new Attendance(desk, clock);
    attendance.attend(isPending && isShown ? id : undefined);
    return () => attendance.attend(undefined);
  }, [desk, clock, id, isPending, isShown]);

  const isKnown = session !== undefined;
  useEffect(() => {
    if (!ready || isKnown) return;
    let left = false;
    desk.get(id).then(
      (found) => {
        if (!left) inbox.accept(found);
      },
      (error: unknown) => {
        const isGone = isAskboxError(error, "SESSION_NOT_FOUND") || isAskboxError(error, "AMBIGUOUS_ID");
        if (!left && isGone) setMissing(id);
      },
    );
    return () => {
      left = true;
    };
  }, [desk, inbox, id, ready, isKnown]);

  if (session !== undefined) return { session, state: "found" };
  return { session, state: missing === id ? "missing" : "loading" };
}
