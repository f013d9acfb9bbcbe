import type { SessionView } from "@askbox/core";
import { type ReactNode, useEffect, useRef, useState } from "react";

/** Rows that are rendered at a time: each costs time and memory, also where it isn't seen. */
const part = 500;

/** The rows of sessions; the next part when the end of the last is in sight, or the cursor is near it. */
export function Rows({
  sessions,
  near,
  row,
}: {
  sessions: readonly SessionView[];
  /** The session under the cursor. */
  near: string | undefined;
  row(session: SessionView): ReactNode;
}) {
  const [wanted, setWanted] = useState(part);
  const end = useRef<HTMLLIElement>(null);
  const shown = Math.max(wanted, sessions.findIndex(({ id }) => id === near) + part);
  const hasMore = shown < sessions.length;
  useEffect(() => {
    if (end.current === null || !hasMore) return;
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && setWanted(shown + part));
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [shown, hasMore]);
  return (
    <>
      {sessions.slice(0, shown).map((session) => row(session))}
      {hasMore && <li ref={end} className="rows-end" aria-hidden="true" />}
    </>
  );
}
