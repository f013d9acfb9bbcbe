import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { codexSocket, followCodex, openSocket, ownSocket } from "@askbox/clients/codex-socket";
import { ensurePrivateFolder, homeFiles, homeFolders, takeLock } from "@askbox/home";
import { type HubInboxOptions, hubInbox } from "./hub-inbox.ts";

/** Milliseconds. How soon another server of the same daemon takes over. */
const interval = 2_000;

/**
 * Takes the approvals of all sessions of this user's Codex daemon to the inbox, until the signal aborts. Codex starts a server for each
 * session; one of them does it for all. Returns immediately if there is no daemon: then none started this server.
 */
export async function followDaemon(options: HubInboxOptions & { version: string }): Promise<void> {
  const { env, version, log, signal } = options;
  // Who owns a socket can't be told there.
  if (process.platform === "win32") return;
  const path = codexSocket(env);
  const tooLarge = new Set<string>();
  try {
    for (let socket = ownSocket(path); socket !== undefined && !signal.aborted; socket = ownSocket(path)) {
      const lock = await takeLock(lockFile(env, socket));
      if (lock !== undefined) {
        const connected = new AbortController();
        const during = AbortSignal.any([signal, connected.signal]);
        try {
          const channel = await openSocket(socket);
          const inbox = hubInbox({ ...options, signal: during });
          const resolved: typeof inbox = {
            ...inbox,
            ask: (request, over) => inbox.ask({ ...request, cwd: realFolder(request.cwd) }, over),
            denied: (denial, over) => inbox.denied({ ...denial, cwd: realFolder(denial.cwd) }, over),
            refused: (denial, why) => inbox.refused({ ...denial, cwd: realFolder(denial.cwd) }, why),
          };
          await followCodex(channel, { inbox: resolved, version, signal, tooLarge, log });
        } catch (error) {
          log("debug", "Codex' daemon could not be followed", { error: String(error) });
        } finally {
          connected.abort();
          lock.release();
        }
      }
      await pause(interval, undefined, { signal, ref: false }).catch(() => {});
    }
  } catch (error) {
    log("warn", "Codex' approvals stay in its terminal", { error: String(error) });
  }
}

function lockFile(env: NodeJS.ProcessEnv, socket: string): string {
  const { follows } = homeFiles(homeFolders({ env }));
  ensurePrivateFolder(follows);
  return join(follows, `${createHash("sha256").update(socket).digest("hex").slice(0, 32)}.lock`);
}

/** The folder as the hook reports it, so that one grant is good for both. */
function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
