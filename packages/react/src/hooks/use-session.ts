import { isAskboxError, type SessionView } from "@askbox/core";
import { useEffect, useState } from "react";
import { useAskbox } from "./askbox-context.ts";
import { useInbox } from "./use-inbox.ts";

/** The result of `useSession`. */
export interface SessionLookup {
  session: SessionView | undefined;
  /** `missing`: the hub has no such session. */
  state: "found" | "loading" | "missing";
}

/** A session, which counts as open here (its asker and others can see this) while the component is mounted. */
export function useSession(id: string): SessionLookup {
  const { desk, inbox } = useAskbox();
  const { pending, settled, ready } = useInbox();
  const session = pending.get(id) ?? settled.get(id);
  const [missing, setMissing] = useState<string>();
  const isPending = pending.has(id);

  useEffect(() => {
    if (!isPending) return;
    let release: (() => void) | undefined;
    let left = false;
    desk.attend(id).then(
      (leave) => {
        if (left) leave();
        else release = leave;
      },
      // The session settled or the hub went away; both are reported elsewhere.
      () => {},
    );
    return () => {
      left = true;
      release?.();
    };
  }, [desk, id, isPending]);

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
