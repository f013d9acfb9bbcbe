import { type Tally, toAskboxError } from "@askbox/core";
import { useAskbox } from "@askbox/react";
import { useEffect, useState } from "react";

/** The counts of these days, or `undefined` while they are loading. */
export function useTally(days: readonly number[]): { tally: Tally | undefined; error: string | undefined; retry(): void } {
  const { desk } = useAskbox();
  const [state, setState] = useState<{ days: readonly number[]; tally: Tally }>();
  const [error, setError] = useState<string>();
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    let left = false;
    setError(undefined);
    desk.tally(days).then(
      (tally) => {
        if (!left) setState({ days, tally });
      },
      (thrown: unknown) => {
        if (!left) setError(toAskboxError(thrown).message);
      },
    );
    return () => {
      left = true;
    };
  }, [desk, days, attempt]);
  return { tally: state?.days === days ? state.tally : undefined, error, retry: () => setAttempt(attempt + 1) };
}
