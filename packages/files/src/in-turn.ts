/** Who wants some work, and until when. */
export interface Wish {
  /** Whose turn it is to be: whoever wants much waits for themselves. Default: all of those that name nobody share a turn. */
  owner?: string | undefined;
  /** Aborted when nobody waits any more. */
  signal?: AbortSignal | undefined;
}

type Job = () => Promise<void>;

/** By kind: whether something is being worked on, and who waits, those whose turn is next first. */
const kinds = new Map<string, { isBusy: boolean; waiting: Map<string, Job[]> }>();

/**
 * Calls `work` when its turn comes, so that only one of a kind has its file in memory at a time. Turns go round between owners. What nobody waits
 * for any more is not begun, and rejects with the signal's reason.
 */
export function inTurn<Result>(kind: string, work: () => Promise<Result>, { owner = "", signal }: Wish = {}): Promise<Result> {
  const turns = kinds.get(kind) ?? { isBusy: false, waiting: new Map<string, Job[]>() };
  kinds.set(kind, turns);
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
