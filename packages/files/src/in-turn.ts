/** Who wants some work, and until when. */
export interface Wish {
  /** Whose turn it is to be: whoever wants much waits for themselves. Default: all of those that name nobody share a turn. */
  owner?: string | undefined;
  /** Aborted when nobody waits any more. */
  signal?: AbortSignal | undefined;
}

type Job = () => Promise<void>;

/** Whether something is being worked on, and who waits, those whose turn is next first. */
const turns = { isBusy: false, waiting: new Map<string, Job[]>() };

/**
 * Calls `work` when its turn comes, so that only one has its file in memory at a time. Turns go round between owners. What nobody waits
 * for any more is not begun, and rejects with the signal's reason.
 */
export function inTurn<Result>(work: () => Promise<Result>, { owner = "", signal }: Wish = {}): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const job = () => (signal?.aborted ? Promise.reject(signal.reason) : work()).then(resolve, reject);
  turns.waiting.set(owner, [...(turns.waiting.get(owner) ?? []), job]);
  const next = () => {
    const [first] = turns.waiting;
    if (turns.isBusy || first === undefined) return;
    const [whose, [due = async () => {}, ...rest]] = first;
    turns.waiting.set(whose, rest);
    turns.isBusy = true;
    void due().finally(() => {
      turns.isBusy = false;
      // Behind those who came meanwhile.
      const more = turns.waiting.get(whose) ?? [];
      turns.waiting.delete(whose);
      if (more.length > 0) turns.waiting.set(whose, more);
      next();
    });
  };
  next();
  return promise;
}
