/** The main process of an Electron-like host: it has the broker, and serves windows and agents over message ports. */
import { type Broker, type Platform, silentLog } from "@askbox/core";
import { createWireClient, serveWire, type WireClient } from "@askbox/wire";
import { type Port, portChannel } from "./port-channel.ts";

/** The code that creates a port knows who has its other end, so no secret is needed. */
export type Side = { role: "desk" } | { role: "asker"; owner: string };

/** Serves one end of each port passed to it. Close the broker to end them all. */
export function servePorts(broker: Broker, platform: Platform): (port: Port, side: Side) => void {
  return (port, side) => {
    serveWire(portChannel(port), {
      hub: { version: "1.0.0", instance: "main-process" },
      authenticate: async () => ({ owner: side.role === "asker" ? side.owner : "window", scopes: [side.role] }),
      asker: (owner) => broker.asker(owner),
      desk: (by) => broker.desk(by),
      control: { status: async () => ({}), stop: async () => {} },
      ids: platform.ids,
      clock: platform.clock,
      log: silentLog,
    });
  };
}

/** A window's side: `askPort` requests a new port from the main process, also after a disconnect. */
export function windowClient(
  askPort: () => Port,
  hello: Parameters<typeof createWireClient>[0]["hello"],
  { clock, ids }: Pick<Platform, "clock" | "ids">,
): WireClient {
  return createWireClient({ connect: async () => portChannel(askPort()), hello, clock, ids });
}
