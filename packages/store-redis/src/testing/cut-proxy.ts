import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { type LateDelivery, lateDelivery } from "./late-delivery.ts";

/** A proxy to a server whose traffic can be cut, dropped or delayed. */
export interface CutProxy {
  readonly port: number;
  /** Closes all connections; new ones are rejected until `fix`. */
  cut(): void;
  /** Keeps all connections but drops everything in both directions, like a broken network. */
  stall(): void;
  /** Forwards requests and closes each connection before its reply. */
  swallowReplies(): void;
  /** Forwards everything again, for new connections. */
  fix(): void;
  close(): Promise<void>;
}

/** Listens on loopback and forwards to a port there; with `late`, what the server publishes arrives late, out of order and twice. */
export async function cutProxy(targetPort: number, late?: LateDelivery): Promise<CutProxy> {
  let mode: "open" | "cut" | "silent" | "swallow" = "open";
  const sockets = new Set<Socket>();
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
  };
  const server = createServer((inbound) => {
    track(inbound);
    if (mode === "cut") {
      inbound.destroy();
      return;
    }
    const outbound = connect({ port: targetPort, host: "127.0.0.1" });
    track(outbound);
    const delivery = late === undefined ? undefined : lateDelivery(inbound, late);
    inbound.on("data", (data) => {
      delivery?.asks(data);
      if (mode !== "silent") outbound.write(data);
    });
    outbound.on("data", (data) => {
      if (mode === "silent") return;
      if (mode === "swallow") inbound.destroy();
      else if (delivery === undefined) inbound.write(data);
      else delivery.take(data);
    });
    inbound.on("close", () => outbound.destroy());
    outbound.on("close", () => inbound.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const breakAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      mode = "cut";
      breakAll();
    },
    stall() {
      mode = "silent";
    },
    swallowReplies() {
      mode = "swallow";
    },
    fix() {
      const wasSilent = mode === "silent";
      mode = "open";
      // They miss what was dropped.
      if (wasSilent) breakAll();
    },
    async close() {
      breakAll();
      server.close();
      await once(server, "close");
    },
  };
}
