import type { Desk } from "@askbox/core";

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
