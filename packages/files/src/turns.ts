/**
 * Heavy work on files, such as reducing a picture, takes turns: one at a time of its kind, fairly among its owners. Equal work that is
 * wanted at the same time is done once, and its last results are kept. Whoever leaves doesn't stop it for the others.
 */

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

/** Bytes of results that are kept, those used last. */
const maxKept = 16_000_000;

interface Wanted<Result> {
  /** Whatever has the same name has the same result. */
  name: string;
  owner: string;
  signal: AbortSignal | undefined;
  /** `signal` is aborted when nobody waits any more. */
  begin(signal: AbortSignal): Promise<Result>;
}

/** Does what several want only once, keeps the result for a while, and gives up what nobody waits for any more. */
export function sharedWork<Result>(sizeOf: (result: Result) => number): (wanted: Wanted<Result>) => Promise<Result> {
  /** Those used last are at the end. */
  const kept = new Map<string, Result>();
  let bytes = 0;
  const forget = (name: string) => {
    const old = kept.get(name);
    if (old === undefined) return;
    kept.delete(name);
    bytes -= sizeOf(old);
  };
  const keep = (name: string, result: Result) => {
    forget(name);
    kept.set(name, result);
    bytes += sizeOf(result);
    for (const oldest of kept.keys()) {
      if (bytes <= maxKept) break;
      forget(oldest);
    }
  };
  /** By owner and name: nobody waits for the turn of another. */
  const running = new Map<string, { result: Promise<Result>; waiting: number; end: AbortController }>();

  return async ({ name, owner, signal, begin }) => {
    signal?.throwIfAborted();
    const known = kept.get(name);
    if (known !== undefined) {
      keep(name, known);
      return known;
    }
    const key = `${owner} ${name}`;
    const start = () => {
      const end = new AbortController();
      const result = begin(end.signal).finally(() => {
        if (running.get(key)?.end === end) running.delete(key);
      });
      result.then((made) => keep(name, made)).catch(() => {});
      return { result, waiting: 0, end };
    };
    const work = running.get(key) ?? start();
    running.set(key, work);
    work.waiting += 1;
    const { promise: left, reject } = Promise.withResolvers<never>();
    const leave = () => {
      work.waiting -= 1;
      reject(signal?.reason);
      if (work.waiting > 0) return;
      running.delete(key);
      work.end.abort();
    };
    signal?.addEventListener("abort", leave, { once: true });
    return Promise.race([work.result, left]).finally(() => signal?.removeEventListener("abort", leave));
  };
}
