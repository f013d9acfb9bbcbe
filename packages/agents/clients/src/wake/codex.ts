import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as z from "zod";
import { type AppServer, createAppServer, introduce, openSocket } from "../codex-socket/app-server.ts";
import { codexSocket, ownSocket } from "../codex-socket/thread-folder.ts";
import { isConversationId, type WakeMachine, type WakeWay } from "./port.ts";

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
    if (answer === undefined) return (await isRecorded(conversation, machine)) ? "gone" : "unknown";
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

/** Whether this machine has the thread's record. Its id begins with the time at which it was started. */
async function isRecorded(conversation: string, { env }: WakeMachine): Promise<boolean> {
  const startedAt = Number.parseInt(conversation.replaceAll("-", "").slice(0, 12), 16);
  if (!isConversationId(conversation) || !Number.isFinite(startedAt)) return false;
  const home = dirname(dirname(codexSocket(env)));
  const lists = days.map(async (shift) => {
    const day = new Date(startedAt + shift * 86_400_000).toISOString().slice(0, 10);
    return readdir(join(home, "sessions", ...day.split("-"))).catch(() => []);
  });
  return (await Promise.all(lists)).flat().some((name) => name.endsWith(`-${conversation}.jsonl`));
}
