import type { AskboxOptions } from "@askbox/inbox";
import type { TuiConnection } from "./tui-options.ts";

/** The state of a connection that is `connecting` until the promise resolves. */
export function pendingConnection(connecting: Promise<TuiConnection>): NonNullable<AskboxOptions["connection"]> {
  let connection: TuiConnection | undefined;
  const state = () => (connection === undefined ? "connecting" : (connection.state?.() ?? "open"));
  return {
    state,
    onState(listener) {
      let stopped = false;
      let stop: (() => void) | undefined;
      connecting.then(
        (connected) => {
          if (stopped) return;
          connection = connected;
          listener(state());
          stop = connected.onState?.(listener);
        },
        // The code that connects reports the error.
        () => {},
      );
      return () => {
        stopped = true;
        stop?.();
      };
    },
  };
}
