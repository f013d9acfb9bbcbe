import { type Desk, toAskboxError } from "@askbox/core";
import { useAskbox } from "@askbox/react";
import { useEffect, useState } from "react";
import { settledPages } from "../history/history-query.ts";
import { factOf, type SettledFact } from "./summary.ts";

/** The maximum number of recent sessions that are counted. */
const bound = 5_000;

export interface ReadFacts {
  facts: readonly SettledFact[];
  /** Whether the period has more sessions than were counted. */
  isCut: boolean;
}

/** Reads the sessions asked since `since` (wall time), up to the limit. */
export async function readFacts(desk: Desk, { since, most = bound }: { since: number; most?: number }): Promise<ReadFacts> {
  const facts: SettledFact[] = [];
  let isCut = false;
  for await (const { items, hasMore } of settledPages(desk, { bound: most })) {
    for (const session of items) {
      const fact = factOf(session);
      if (fact !== undefined && fact.createdAt >= since) facts.push(fact);
    }
    const oldest = items.at(-1);
    isCut = hasMore && oldest !== undefined && oldest.createdAt >= since;
    if (!isCut) break;
  }
  return { facts, isCut };
}

/** The facts, or `undefined` while they are loading; those of a longer period are reused for a shorter one. */
export function useFacts(since: number): { read: ReadFacts | undefined; error: string | undefined; retry(): void } {
  const { desk } = useAskbox();
  const [state, setState] = useState<{ since: number; read: ReadFacts }>();
  const [error, setError] = useState<string>();
  const [attempt, setAttempt] = useState(0);
  const isEnough = state !== undefined && state.since <= since;

  useEffect(() => {
    if (isEnough) return;
    let left = false;
    setError(undefined);
    readFacts(desk, { since }).then(
      (read) => {
        if (!left) setState({ since, read });
      },
      (thrown: unknown) => {
        if (!left) setError(toAskboxError(thrown).message);
      },
    );
    return () => {
      left = true;
    };
  }, [desk, since, isEnough, attempt]);
  return { read: isEnough ? within(state.read, since) : undefined, error, retry: () => setAttempt(attempt + 1) };
}

/** A shorter period may be complete even if the longer one exceeded the limit. */
function within({ facts, isCut }: ReadFacts, since: number): ReadFacts {
  const oldest = facts.at(-1);
  return { facts, isCut: isCut && oldest !== undefined && oldest.createdAt >= since };
}
