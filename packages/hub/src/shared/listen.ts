import type { SharedState } from "@askbox/core";

/**
 * Subscribes to a topic as soon as possible; if that fails, there are no events. Returns a function that unsubscribes, which may be called
 * before the subscription is active.
 */
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
