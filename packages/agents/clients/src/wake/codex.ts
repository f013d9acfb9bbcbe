import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as z from "zod";
import { type AppServer, createAppServer, introduce, openSocket } from "../codex-socket/app-server.ts";
import { codexSocket, ownSocket } from "../codex-socket/thread-folder.ts";
import { isConversationId, recordedFolder, type WakeMachine, type WakeWay } from "./port.ts";

/**
 * Codex' daemon says what a thread does, and queues a message for it: a turn that the terminal shows as typed. It does not recognize a message
 * that comes twice by its key, so it is never sent again. Without a daemon, `codex exec resume` refuses a thread that another process writes.
 */

/** Milliseconds that the daemon has for each answer. */
const timeout = 3_000;

const threadSchema = z.object({ thread: z.object({ id: z.string(), status: z.object({ type: z.string().max(100) }) }) });

export const codexWay: WakeWay = {
  client: "codex",
  async state(conversation, machine) {
    const answer = await atDaemon(machine, (server) => server.request("thread/read", { threadId: conversation }, timeout));
    if (answer === undefined) return (await recordOf(conversation, machine)) === undefined ? "unknown" : "gone";
    const { thread } = threadSchema.parse(answer);
    if (thread.id !== conversation) return "unknown";
    return { idle: "idle" as const, active: "busy" as const, notLoaded: "gone" as const }[thread.status.type] ?? "unknown";
  },
  async continueOpen(conversation, { text, key }, machine) {
    const input = [{ type: "text", text }];
    const params = { threadId: conversation, input, clientUserMessageId: key };
    const answer = await atDaemon(machine, (server) => server.request("thread/queue/add", params, timeout));
    if (answer === undefined) throw new Error("Codex' daemon has ended.");
  },
  async folderOf(conversation, machine) {
    const record = await recordOf(conversation, machine);
    return record && recordedFolder(record, (line) => (line as { payload?: { cwd?: unknown } }).payload?.cwd);
  },
  resumeGone: (conversation, text) => ({ argv: ["codex", "exec", "resume", conversation, "-"], input: text }),
  risk: "The same message twice makes two turns. A thread that another process writes refuses a second one.",
};

/** What the daemon answers; undefined if there is none. Rejects as it does. */
async function atDaemon<Answer>(machine: WakeMachine, ask: (server: AppServer) => Promise<Answer>): Promise<Answer | undefined> {
  // Who owns a socket can't be told on Windows.
  const socket = process.platform === "win32" ? undefined : ownSocket(codexSocket(machine.env));
  if (socket === undefined) return undefined;
  const channel = await openSocket(socket, timeout).catch((error: { code?: unknown }) => {
    // A daemon that was killed has left its socket.
    if (error.code === "ECONNREFUSED" || error.code === "ENOENT") return undefined;
    throw error;
  });
  if (channel === undefined) return undefined;
  const server = createAppServer(channel, { onRequest() {}, onNotification() {} });
  try {
    await introduce(server, machine.version, timeout);
    server.notify("initialized");
    return await ask(server);
  } finally {
    server.close();
  }
}

/** The days around the one that a thread's id names: the folders are named in the time zone of the machine. */
const days = [0, -1, 1];

/** This machine's record of the thread. Its id begins with the time at which it was started. */
async function recordOf(conversation: string, { env }: WakeMachine): Promise<string | undefined> {
  const startedAt = Number.parseInt(conversation.replaceAll("-", "").slice(0, 12), 16);
  if (!isConversationId(conversation) || !Number.isFinite(startedAt)) return undefined;
  const home = dirname(dirname(codexSocket(env)));
  const lists = days.map(async (shift) => {
    const day = new Date(startedAt + shift * 86_400_000).toISOString().slice(0, 10);
    const folder = join(home, "sessions", ...day.split("-"));
    const names = await readdir(folder).catch(() => []);
    return names.filter((name) => name.endsWith(`-${conversation}.jsonl`)).map((name) => join(folder, name));
  });
  return (await Promise.all(lists)).flat()[0];
}
