/** A value that changes and can be listened to: the shape that React's `useSyncExternalStore` takes. */
export interface Store<State> {
  getState(): State;
  /** Returns how to stop listening. */
  subscribe(listener: () => void): () => void;
}

/** A store whose owner sets its state; equal states are not told. */
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
      // A function of its own, so that one listener may subscribe twice.
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
