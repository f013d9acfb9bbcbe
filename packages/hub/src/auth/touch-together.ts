/**
 * Returns a `touch` that saves all uses of one turn of the event loop in one go: every write rewrites the whole list, and hundreds of tokens
 * are in use at once.
 */
export function touchTogether(save: (uses: ReadonlyMap<string, number>) => Promise<void>): (id: string, at: number) => Promise<void> {
  let uses = new Map<string, number>();
  let saving: Promise<void> | undefined;
  return (id, at) => {
    uses.set(id, at);
    saving ??= Promise.resolve().then(() => {
      const batch = uses;
      uses = new Map();
      saving = undefined;
      return save(batch);
    });
    return saving;
  };
}
