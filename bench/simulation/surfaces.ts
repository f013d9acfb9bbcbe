import type { Broker, Clock, Ids } from "@askbox/core";
import { channelPair, serveWire, wireProtocol } from "@askbox/wire";

/** Surfaces that watch over the hub's own protocol. What they are sent is counted and thrown away, so that only the hub's side costs. */
export interface Surfaces {
  /** Characters that were sent to all of them. */
  readonly sent: number;
  close(): void;
}

export async function connectSurfaces(
  { broker, clock, ids }: { broker: Broker; clock: Clock; ids: Ids },
  { count, project }: { count: number; project: string },
): Promise<Surfaces> {
  let sent = 0;
  const closings: (() => void)[] = [];
  const connect = async () => {
    const [here, there] = channelPair();
    serveWire(there, {
      hub: { version: "0.0.0", instance: "simulation" },
      authenticate: async () => ({ owner: "people", scopes: ["desk"] }),
      asker: (owner) => broker.asker(owner),
      desk: (by) => broker.desk(by),
      control: { status: async () => ({}), stop: async () => {} },
      clock,
      ids,
      // They never fall silent as far as the hub is concerned; they only do not speak.
      idleTimeout: 3_600_000,
    });
    const watching = Promise.withResolvers<void>();
    here.onMessage((text) => {
      sent += text.length;
      if (text.startsWith('{"welcome"')) here.send(JSON.stringify({ id: 1, method: "watch", params: { project } }));
      else if (text.startsWith('{"id":1')) watching.resolve();
    });
    const agent = { name: "simulation", version: "0.0.0" };
    here.send(JSON.stringify({ hello: { protocol: wireProtocol, token: "t", role: "desk", surface: "web", agent } }));
    await watching.promise;
    closings.push(() => here.close());
  };
  for (let number = 0; number < count; number += 1) await connect();
  return {
    get sent() {
      return sent;
    },
    close() {
      for (const close of closings) close();
    },
  };
}
