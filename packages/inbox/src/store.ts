/** An observable value, as expected by React's `useSyncExternalStore`. */
export interface Store<State> {
  getState(): State;
  /** Returns a function that stops listening. */
  subscribe(listener: () => void): () => void;
}

/** A store whose owner sets its state; equal states are not reported. */
export interface WritableStore<State> extends Store<State> {
  setState(next: State): void;
}

/** Creates a store of one value that reports its changes. */
export function createStore<State>(initial: State): WritableStore<State> {
  const listeners = new Set<() => void>();
  let state = initial;
  return {
    getState: () => state,
    subscribe(listener) {
      // A new function each time, so that one listener may subscribe twice.
      const own = () => listener();
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    setState(next) {
      if (Object.is(next, state)) return;
      state = next;
      for (const listener of [...listeners]) listener();
    },
  };
}
