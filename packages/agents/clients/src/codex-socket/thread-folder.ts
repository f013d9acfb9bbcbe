import { lstatSync, realpathSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { createAppServer, introduce, openSocket } from "./app-server.ts";
import { threadAnswerSchema } from "./messages.ts";

/**
 * Where the daemon listens, and in which folder a thread works. Only a socket of this user, in a folder that nobody else can write to, is
 * used.
 */

export interface ThreadFolderOptions {
  /** Where the daemon listens. */
  path: string;
  /** The thread's id. */
  thread: string;
  version: string;
  /** Milliseconds that the daemon has for each of its two answers. */
  timeout: number;
}

/**
 * The folder in which a thread works, as Codex' daemon knows it; undefined if there is no daemon. Rejects if the daemon doesn't know the
 * thread or doesn't answer in time, and if the socket could be somebody else's.
 */
export async function threadFolder({ path, thread, version, timeout }: ThreadFolderOptions): Promise<string | undefined> {
  const socket = ownSocket(path);
  if (socket === undefined) return undefined;
  const server = createAppServer(await openSocket(socket, timeout), { onRequest() {}, onNotification() {} });
  try {
    await introduce(server, version, timeout);
    const { thread: found } = threadAnswerSchema.parse(await server.request("thread/read", { threadId: thread }, timeout));
    return found.id === thread && isAbsolute(found.cwd) ? found.cwd : undefined;
  } finally {
    server.close();
  }
}

/** Where Codex' daemon listens. */
export const codexSocket = (env: Readonly<Record<string, string | undefined>>): string =>
  join(
    env["CODEX_HOME"] || join(env["HOME"] || homedir() || userInfo().homedir, ".codex"),
    "app-server-control",
    "app-server-control.sock",
  );

/**
 * The socket with its links resolved, if it is one that only this user can have opened: it and its folder belong to them, and nobody else can
 * write to either. Undefined if there is none. Throws if it could be somebody else's.
 */
export function ownSocket(path: string): string | undefined {
  let real: string;
  try {
    real = realpathSync(path);
  } catch {
    return undefined;
  }
  const uid = process.getuid?.();
  const [file, folder] = [lstatSync(real), lstatSync(dirname(real))];
  if (!file.isSocket()) throw new Error(`${real} is no socket`);
  if (file.uid !== uid || folder.uid !== uid) throw new Error(`${real} belongs to another user`);
  // Who can write to a folder can put another socket into it.
  if ((folder.mode & 0o077) !== 0 || (file.mode & 0o022) !== 0) throw new Error(`other users can reach ${real}`);
  return real;
}
