import { isAbsolute } from "node:path";
import { createAppServer, openSocket } from "./app-server.ts";
import { introduce } from "./introduce.ts";
import { threadAnswerSchema } from "./messages.ts";
import { ownSocket } from "./socket-file.ts";

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
