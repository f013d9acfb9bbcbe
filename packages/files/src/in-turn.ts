/** The last work of each kind. */
const last = new Map<string, Promise<unknown>>();

/** Calls `work` once all earlier work of this kind has ended, so that only one at a time has its file in memory. */
export function inTurn<Result>(kind: string, work: () => Promise<Result>): Promise<Result> {
  const turn = (last.get(kind) ?? Promise.resolve()).then(work);
  last.set(
    kind,
    turn.catch(() => {}),
  );
  return turn;
}
