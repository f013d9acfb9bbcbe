import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A way to a server that can be cut: what goes through it can be broken off, swallowed or held up. */
export interface CutProxy {
  readonly port: number;
  /** Breaks all connections off; new ones are refused until `fix`. */
  cut(): void;
  /** Keeps all connections and lets nothing through any more, in neither direction, as a broken network does. */
  stall(): void;
  /** Lets requests through and breaks each connection off before its reply. */
  swallowReplies(): void;
  /** Lets everything through again, for connections made from now on. */
  fix(): void;
  close(): Promise<void>;
}

/** Listens on loopback and passes everything on to a port there. */
export async function cutProxy(targetPort: number): Promise<CutProxy> {
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
    inbound.on("data", (data) => {
      if (mode !== "silent") outbound.write(data);
    });
    outbound.on("data", (data) => {
      if (mode === "silent") return;
      if (mode !== "swallow") inbound.write(data);
      else inbound.destroy();
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
      // What was swallowed is missing in them.
      if (wasSilent) breakAll();
    },
    async close() {
      breakAll();
      server.close();
      await once(server, "close");
    },
  };
}
