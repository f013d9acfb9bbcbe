import type { SharedState } from "@askbox/core";

/** Listens to a topic from as soon as that can be; what cannot be begun tells nothing. Returns how to stop, which may come before it has begun. */
export function listen(shared: SharedState, topic: string, listener: (message: string) => void): () => void {
  let stop: (() => void) | undefined;
  let isOver = false;
  shared
    .subscribe(topic, (message) => !isOver && listener(message))
    .then(
      (end) => {
        stop = end;
        if (isOver) end();
      },
      () => {},
    );
  return () => {
    isOver = true;
    stop?.();
  };
}
