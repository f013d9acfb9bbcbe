import type { DeskQuery } from "@askbox/core";
import { useAskbox, useInbox } from "@askbox/react";
import { useEffect, useState } from "react";

export interface Beginnings {
  /** Whether any agent has ever asked. */
  hasAsked: boolean;
  /** Whether any question has been answered or declined. */
  hasAnswered: boolean;
}

/** How far the inbox has been used; undefined until the hub has told. */
export function useBeginnings(): Beginnings | undefined {
  const { desk } = useAskbox();
  const { connection, pending, settled } = useInbox();
  const [begun, setBegun] = useState<Beginnings>();
  const isOver = begun?.hasAnswered === true;

  useEffect(() => {
    if (connection !== "open" || isOver) return;
    let isWanted = true;
    const any = async (statuses: DeskQuery["statuses"]) => (await desk.list({ statuses, limit: 1 })).items.length > 0;
    Promise.all([any(["pending", "answered", "cancelled", "timed_out"]), any(["answered", "cancelled"])]).then(
      ([hasAsked, hasAnswered]) => {
        if (isWanted) setBegun({ hasAsked, hasAnswered });
      },
      // It is read again with the next change.
      () => {},
    );
    return () => {
      isWanted = false;
    };
  }, [desk, connection, isOver, pending.size, settled.size]);
  return begun;
}
