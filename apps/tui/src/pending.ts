/** A desk and a connection that wait for the hub, so that the screen can appear before it is reachable. */
import type { Desk } from "@askbox/core";
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

/** A desk whose calls wait for the connection, so that the screen can appear before the hub is reachable. */
export function pendingDesk(connecting: Promise<{ desk: Desk }>): Desk {
  const waits =
    (name: string | symbol) =>
    async (...args: unknown[]) => {
      const { desk } = await connecting;
      return Reflect.apply(Reflect.get(desk, name), desk, args);
    };
  return new Proxy<Desk>(Object.create(null), { get: (_, name) => waits(name) });
}
