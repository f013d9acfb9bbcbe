import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A load balancer that passes each connection to one of several hubs, or to another if that one rejects it. */
export interface Balancer {
  readonly port: number;
  readonly url: string;
  /** The ports of its targets. */
  targets: readonly number[];
  close(): Promise<void>;
}

/** Uses the targets in turn. The contents of a connection are ignored; it ends with either side. */
export async function balancer(): Promise<Balancer> {
  const sockets = new Set<Socket>();
  let turn = 0;
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((inbound) => {
    track(inbound).on("error", () => inbound.destroy());
    turn += 1;
    const order = made.targets.map((_, index, all) => all[(index + turn) % all.length] as number);
    const tryNext = () => {
      const target = order.shift();
      if (target === undefined || inbound.destroyed) return void inbound.destroy();
      const outbound = track(connect({ port: target, host: "127.0.0.1" }));
      let isThrough = false;
      outbound.on("connect", () => {
        isThrough = true;
        inbound.pipe(outbound);
        outbound.pipe(inbound);
      });
      outbound.on("error", () => (isThrough ? inbound.destroy() : tryNext()));
      outbound.on("close", () => isThrough && inbound.destroy());
      inbound.on("close", () => outbound.destroy());
    };
    tryNext();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const made: Balancer = {
    port,
    url: `http://127.0.0.1:${port}`,
    targets: [],
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
  return made;
}
