import { mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { AskboxError, type Log } from "@askbox/core";
import type { Hub } from "@askbox/hub";

export interface ListenOptions {
  host: string;
  /** The requested port; there is no fallback. */
  port: number | undefined;
  /**
   * The ports of previous hubs, preferred first: the first that is free is kept, so that open pages and addresses in clients' files keep
   * working.
   */
  lastPorts: readonly number[];
}

/** Starts the hub's server. Throws `VALIDATION` with one sentence if it cannot listen on the given address. */
export async function listenAt(hub: Hub, { host, port, lastPorts }: ListenOptions): Promise<string> {
  for (const lastPort of port === undefined ? lastPorts : []) {
    try {
      return await hub.listen({ host, port: lastPort });
    } catch (error) {
      if (!["EADDRINUSE", "EACCES"].includes(codeOf(error))) throw explained(error, host, lastPort);
    }
  }
  try {
    return await hub.listen({ host, port: port ?? 0 });
  } catch (error) {
    throw explained(error, host, port ?? 0);
  }
}

/**
 * Also listens at the home's own socket, or where the settings say. Throws `VALIDATION` if it can't there; the home's own is only for
 * convenience, so a hub without it goes on.
 */
export async function listenInFiles(
  hub: Hub,
  { socket, own, log }: { socket: string | undefined; own: string; log: Log },
): Promise<string | undefined> {
  if (process.platform === "win32") {
    if (socket === undefined) return undefined;
    throw new AskboxError("VALIDATION", "A hub on Windows listens at no socket in the file system; leave out --socket.");
  }
  const path = socket === undefined ? own : resolve(socket);
  try {
    if (Buffer.byteLength(path) > longestSocket) throw Object.assign(new Error(), { code: "ENAMETOOLONG" });
    if (socket !== undefined) mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    await hub.listenOnSocket(path);
    return path;
  } catch (cause) {
    const code = codeOf(cause);
    const why =
      code === "EADDRINUSE"
        ? "another program listens there, or it is another file"
        : code === "ENAMETOOLONG"
          ? `a socket's path has at most ${longestSocket} bytes`
          : code;
    if (socket !== undefined)
      throw new AskboxError("VALIDATION", `The hub cannot listen at ${path} (${why}); correct --socket.`, { cause });
    log("info", "The hub has no socket in its folder", { path, why });
    return undefined;
  }
}

/** Bytes of a path that every system takes: macOS has room for 103, Linux for 107. */
const longestSocket = 103;

function explained(cause: unknown, host: string, port: number): AskboxError {
  const code = codeOf(cause);
  // keys: the system's codes, in capitals.
  const sentences: Record<string, string> = {
    EADDRINUSE: `Port ${port} is taken by another program; choose another with --port, or none to let the system choose.`,
    EACCES: `Port ${port} may not be used by this user; choose one of 1024 or more with --port.`,
    EADDRNOTAVAIL: `This machine has no address ${host}; correct --host.`,
    ENOTFOUND: `This machine has no address ${host}; correct --host.`,
  };
  return new AskboxError("VALIDATION", sentences[code] ?? `The hub cannot listen at ${host}:${port} (${code}).`, { cause });
}

const codeOf = (error: unknown) => String((error as { code?: unknown }).code ?? error);
