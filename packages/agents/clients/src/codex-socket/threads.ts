import type { AppServer } from "./app-server.ts";
import {
  type CodexThread,
  type FileChange,
  isWaiting,
  lastTurnSchema,
  patchesOf,
  socketLimits,
  type ThreadStatus,
  threadAnswerSchema,
} from "./messages.ts";

interface Followed extends Pick<CodexThread, "cwd" | "sessionId"> {
  isWaiting: boolean;
  /** Whether the daemon sends this connection the thread's requests. */
  isJoined: boolean;
  patches: Map<string, FileChange[]>;
}

export interface ThreadsOptions {
  server: Pick<AppServer, "request" | "isOpen">;
  /** Threads whose last turn was too large to be read; remembered across connections. */
  tooLarge: Set<string>;
  /** Whether a request of the thread is pending here. */
  isPending(thread: string): boolean;
  /** The ids of all threads and of their sessions; called when they change. */
  onChange(ids: readonly string[]): void;
  /** The daemon no longer waits for anything in the thread. */
  onIdle(thread: string): void;
}

/** Patches of one turn that are remembered. */
const maxPatches = 100;

/** The daemon's threads. One is joined only while it waits for an approval, so that the daemon can unload it as usual. */
export class CodexThreads {
  readonly #options: ThreadsOptions;
  readonly #threads = new Map<string, Followed>();
  /** Threads that were looked up, also Codex' own. */
  readonly #seen = new Set<string>();
  /** Threads that are being looked up, with the state that was reported in the meantime. */
  readonly #looking = new Map<string, ThreadStatus>();

  constructor(options: ThreadsOptions) {
    this.#options = options;
  }

  get(id: string): Pick<CodexThread, "cwd" | "sessionId"> | undefined {
    return this.#threads.get(id);
  }

  add({ id, cwd, sessionId, ephemeral, status }: CodexThread): void {
    if (this.#seen.size > 10 * socketLimits.threads) this.#seen.clear();
    this.#seen.add(id);
    if (ephemeral || this.#threads.has(id) || this.#threads.size >= socketLimits.threads) return;
    this.#threads.set(id, { cwd, sessionId, isWaiting: false, isJoined: false, patches: new Map() });
    this.#report();
    this.setStatus(id, status);
  }

  /** Adds a thread that is known by its id only, with what was reported about it. */
  async look(id: string, reported?: ThreadStatus): Promise<void> {
    if (reported !== undefined && this.#looking.has(id)) return void this.#looking.set(id, reported);
    if (this.#seen.has(id) || this.#looking.size >= socketLimits.threads) return;
    this.#seen.add(id);
    this.#looking.set(id, reported ?? { type: "unknown" });
    try {
      this.add(threadAnswerSchema.parse(await this.#options.server.request("thread/read", { threadId: id })).thread);
      const later = this.#looking.get(id);
      if (later?.type === "active") this.setStatus(id, later);
    } catch {
      this.#seen.delete(id);
    } finally {
      this.#looking.delete(id);
    }
  }

  drop(id: string): void {
    this.#options.onIdle(id);
    this.#seen.delete(id);
    if (this.#threads.delete(id)) this.#report();
  }

  setStatus(id: string, status: ThreadStatus): void {
    const thread = this.#threads.get(id);
    if (thread === undefined) return void this.look(id, status);
    thread.isWaiting = isWaiting(status);
    if (thread.isWaiting) return void this.#join(id, thread);
    if (status.type !== "active") this.#options.onIdle(id);
    this.leaveIfDone(id);
  }

  /** A joined thread is never unloaded. */
  leaveIfDone(id: string): void {
    const thread = this.#threads.get(id);
    if (thread === undefined || !thread.isJoined || thread.isWaiting || this.#options.isPending(id)) return;
    thread.isJoined = false;
    thread.patches.clear();
    this.#options.server.request("thread/unsubscribe", { threadId: id }).catch(() => {});
  }

  remember(id: string, patches: readonly [id: string, changes: FileChange[]][]): void {
    const known = this.#threads.get(id)?.patches;
    for (const [item, changes] of patches) {
      if (known === undefined || known.size >= maxPatches) return;
      // What is too large to be asked about is not kept either.
      if (JSON.stringify(changes).length <= socketLimits.request) known.set(item, changes);
    }
  }

  /** What a patch does: as the daemon announced it, or from the turn that is running. */
  async changesOf(id: string, item: unknown): Promise<FileChange[] | undefined> {
    const { server, tooLarge } = this.#options;
    const thread = this.#threads.get(id);
    if (typeof item !== "string" || thread === undefined) return undefined;
    if (!thread.patches.has(item) && !tooLarge.has(id)) {
      const lastTurn = { limit: 1, sortDirection: "desc", itemsView: "full" };
      // An answer beyond the limit of a message ends the connection.
      tooLarge.add(id);
      const asked = server.request("thread/resume", { threadId: id, excludeTurns: true, initialTurnsPage: lastTurn });
      const answer = await asked.finally(() => server.isOpen() && tooLarge.delete(id));
      const { success, data } = lastTurnSchema.safeParse(answer);
      if (success) this.remember(id, patchesOf(data.initialTurnsPage.data.flatMap(({ items }) => items)));
    }
    return thread.patches.get(item);
  }

  async #join(id: string, thread: Followed): Promise<void> {
    if (thread.isJoined) return;
    thread.isJoined = true;
    try {
      // The daemon then sends what is pending again.
      await this.#options.server.request("thread/resume", { threadId: id, excludeTurns: true });
    } catch {
      thread.isJoined = false;
    }
  }

  #report(): void {
    this.#options.onChange([...new Set([...this.#threads].flatMap(([id, { sessionId }]) => [id, sessionId]))]);
  }
}
