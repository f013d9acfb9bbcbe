import { lstatSync, unlinkSync } from "node:fs";
import type { Server } from "node:http";
import { connect, createServer, type Server as NetServer } from "node:net";
import type { Log } from "@askbox/core";

/**
 * How many connections wait to be accepted while the hub is busy. Beyond that, the system drops them, and their clients try again after a
 * second at the earliest. The system may have a lower limit.
 */
const backlog = 4_096;

/** The address of a server. */
export interface Listening {
  port: number;
  /** Accepts no more connections and resolves once the existing ones have ended. */
  close(): Promise<void>;
}

/**
 * Starts to listen. A server on 127.0.0.1 also listens on ::1 at the same port: browsers may resolve `localhost` to that first, and another
 * program there could pose as the hub. If the port is taken there, a warning is logged. Rejects with Node's error, such as `EADDRINUSE`.
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

/**
 * Starts to listen on a socket in the file system that only its owner can open. One that a dead hub left is replaced; one that answers is
 * not, and neither is a file that is no socket: `EADDRINUSE`. The server's end removes it.
 */
export async function listenInFiles(server: Server, path: string): Promise<void> {
  if (await isStale(path)) unlinkSync(path);
  // Bound and listening within the call, so nobody else can open it in between.
  const before = process.umask(0o177);
  try {
    const done = listening(server, { path });
    process.umask(before);
    await done;
  } finally {
    process.umask(before);
  }
}

/** Whether there is a socket at which nobody listens. */
function isStale(path: string): Promise<boolean> {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSocket() !== true) return Promise.resolve(false);
  return new Promise((resolve) => {
    const probe = connect(path, () => resolve(false));
    probe.on("error", (error: NodeJS.ErrnoException) => resolve(error.code === "ECONNREFUSED"));
    probe.on("connect", () => probe.destroy());
  });
}

async function alsoOnIpv6(server: Server, port: number, log: Log): Promise<NetServer | undefined> {
  // As Node's HTTP server accepts its own.
  const second = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => void server.emit("connection", socket));
  try {
    await listening(second, { host: "::1", port });
    return second;
  } catch (error) {
    // Without IPv6, no other program can use it either.
    if ((error as NodeJS.ErrnoException).code === "EADDRINUSE") {
      log("warn", "Another program uses the hub's port on [::1], which a browser may try for localhost. Open the hub at 127.0.0.1.", {
        port,
      });
    }
    return undefined;
  }
}

function listening(server: NetServer, at: { host: string; port: number } | { path: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ ...at, backlog }, () => {
      server.off("error", reject);
      resolve();
    });
  });
}
