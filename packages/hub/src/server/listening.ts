import type { Server } from "node:http";
import { createServer, type Server as NetServer } from "node:net";
import type { Log } from "@askbox/core";

/** Where a server serves. */
export interface Listening {
  port: number;
  /** Takes no more connections and resolves when those that were taken have ended. */
  close(): Promise<void>;
}

/**
 * Begins to serve. A server on 127.0.0.1 serves ::1 at the same port as well: browsers may take `localhost` for that first, and another program there could
 * pose as this one. Where one does already, a warning says so. Rejects with Node's error, such as `EADDRINUSE`.
 */
export async function listenAt(server: Server, at: { host: string; port: number }, log: Log): Promise<Listening> {
  await listening(server, at);
  const bound = server.address();
  const port = typeof bound === "object" && bound !== null ? bound.port : at.port;
  const second = at.host === "127.0.0.1" ? await alsoOnIpv6(server, port, log) : undefined;
  return {
    port,
    async close() {
      await Promise.all([server, second].map((each) => each && new Promise<void>((resolve) => each.close(() => resolve()))));
    },
  };
}

async function alsoOnIpv6(server: Server, port: number, log: Log): Promise<NetServer | undefined> {
  // As Node's HTTP server takes its own.
  const second = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => void server.emit("connection", socket));
  try {
    await listening(second, { host: "::1", port });
    return second;
  } catch (error) {
    // Without IPv6 nobody else can have it either.
    if ((error as NodeJS.ErrnoException).code === "EADDRINUSE") {
      log("warn", "Another program has the hub's port on [::1], where a browser may look for localhost. Open the hub by 127.0.0.1.", {
        port,
      });
    }
    return undefined;
  }
}

function listening(server: NetServer, at: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(at, () => {
      server.off("error", reject);
      resolve();
    });
  });
}
