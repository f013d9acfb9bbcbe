import { type Desk, toAskboxError } from "@askbox/core";
import { useAskbox } from "@askbox/react";
import { useEffect, useState } from "react";
import { settledPages } from "../history/history-query.ts";
import { factOf, type SettledFact } from "./summary.ts";

/** How many of the newest sessions are counted at most. */
const bound = 5_000;

export interface ReadFacts {
  facts: readonly SettledFact[];
  /** Whether there were more in the period than are counted. */
  isCut: boolean;
}

/** Reads what was asked since `since` (wall time), as far back as the bound lets it. */
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

/** The facts, `undefined` while they are read; those of a longer period serve a shorter one too. */
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

/** A period that is shorter than what was read may be whole where the longer one is cut. */
function within({ facts, isCut }: ReadFacts, since: number): ReadFacts {
  const oldest = facts.at(-1);
  return { facts, isCut: isCut && oldest !== undefined && oldest.createdAt >= since };
}
