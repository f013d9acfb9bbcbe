import { type Log, silentLog } from "@askbox/core";
import { type AppServer, type AppServerChannel, createAppServer, introduce } from "./app-server.ts";
import {
  type CodexReview,
  type CodexThread,
  deniedEvent,
  type FileChange,
  lastTurnSchema,
  loadedSchema,
  type Notification,
  patchesOf,
  type RequestId,
  type ServerRequest,
  socketLimits,
  type ThreadStatus,
  threadAnswerSchema,
} from "./messages.ts";

/**
 * Follows the daemon's approvals: which threads there are, what waits for a decision in each, and when it was decided elsewhere.
 * Subscribing to a thread is what makes its requests and the verdicts of a reviewing model arrive here; what was denied before is not told
 * again. So a thread is joined while it runs, and left as soon as it doesn't, so that the daemon can unload it.
 */

/** A pending approval of Codex, as its daemon sent it. */
export interface CodexRequest {
  id: RequestId;
  method: string;
  params: ServerRequest["params"];
  /** The session to which the request's thread belongs. */
  session: string;
  /** The session's folder. */
  cwd: string;
  /** For a patch: what it does, which the request itself doesn't say. */
  changes?: readonly FileChange[];
}

/** An action that Codex' reviewing model has judged. */
export interface CodexDenial {
  review: CodexReview;
  session: string;
  cwd: string;
}

/** A decision, as the hub reports it. */
export interface CodexDecision {
  isAllowed: boolean;
  /** Why a person denied it. */
  reason?: string | undefined;
}

/** Where pending approvals go. */
export interface CodexInbox {
  /** Undefined if nobody decided. Pending until then, or until the signal aborts. */
  ask(request: CodexRequest, signal: AbortSignal): Promise<CodexDecision | undefined>;
  /** Codex has settled the request itself; its signal aborts next. */
  settled(request: CodexRequest): Promise<void>;
  /** Whether a person has overruled it; pending until somebody has decided, or the signal aborts. */
  denied(denial: CodexDenial, signal: AbortSignal): Promise<boolean>;
  /** Its reviewing model has let it run. */
  allowed(review: CodexDenial): Promise<void>;
  /** Codex doesn't take what a person has overruled. */
  refused(denial: CodexDenial, why: string): Promise<void>;
  /** The sessions whose approvals come from here. */
  follows(sessions: readonly string[]): void;
}

export interface FollowOptions {
  inbox: CodexInbox;
  version: string;
  signal: AbortSignal;
  log?: Log | undefined;
  /** Threads whose last turn was too large to be read; remembered across connections. */
  tooLarge: Set<string>;
}

interface Pending {
  thread: string;
  request?: CodexRequest;
  isAnswered: boolean;
  stop: AbortController;
}

/**
 * Takes the approvals of all sessions of a daemon to the inbox, until the connection ends or the signal aborts. Whatever is not understood is
 * left to Codex' own prompt.
 */
export async function followCodex(
  channel: AppServerChannel,
  { inbox, version, signal, tooLarge, log = silentLog }: FollowOptions,
): Promise<void> {
  const pending = new Map<RequestId, Pending>();
  /** Denials that nobody has decided about, by review. */
  const denials = new Map<string, AbortController>();
  // What happened before is in the list of threads.
  let isReady = false;
  const server = createAppServer(channel, {
    onRequest: (request) => void (isReady && ask(request).catch(() => {})),
    onNotification: (notification) => void (isReady && onNotification(notification)),
  });
  const threads = new CodexThreads({
    server,
    tooLarge,
    isPending: (id) => [...pending.values()].some(({ thread }) => thread === id),
    onChange: (ids) => inbox.follows(ids),
    onIdle: (id) => settle(({ thread }) => thread === id),
  });
  const stop = () => server.close();
  signal.addEventListener("abort", stop, { once: true });

  function onNotification({ method, params }: Notification): void {
    switch (method) {
      case "thread/started":
        return threads.add(params.thread);
      case "thread/closed":
        return threads.drop(params.threadId);
      case "thread/status/changed":
        if (params.status.type === "notLoaded") return threads.drop(params.threadId);
        return threads.setStatus(params.threadId, params.status);
      case "serverRequest/resolved":
        settle((_entry, id) => id === params.requestId);
        return threads.leaveIfDone(params.threadId);
      case "item/started":
        return threads.remember(params.threadId, [[params.item.id, params.item.changes]]);
      case "item/autoApprovalReview/completed":
        return void reviewed(params).catch(() => {});
    }
  }

  /**
   * Nothing waits for this. What was denied is a card: if a person overrules it, Codex tells its model and the reviewer; the agent makes the call again when it is woken,
   * and the hook lets it through.
   */
  async function reviewed(review: CodexReview): Promise<void> {
    const { threadId, reviewId } = review;
    const thread = threads.get(threadId);
    const denial = thread && { review, session: thread.sessionId, cwd: thread.cwd };
    if (denial === undefined || denials.has(reviewId) || sizeOf(denial) > socketLimits.request) return;
    if (review.review.status === "approved") return inbox.allowed(denial);
    if (review.review.status !== "denied") return;
    const [oldest] = denials.keys();
    if (denials.size >= maxDenials && oldest !== undefined) denials.get(oldest)?.abort();
    const stop = new AbortController();
    denials.set(reviewId, stop);
    try {
      if (!(await inbox.denied(denial, stop.signal)) || stop.signal.aborted) return;
      await server.request("thread/resume", { threadId, excludeTurns: true });
      await server.request("thread/approveGuardianDeniedAction", { threadId, event: deniedEvent(review) });
    } catch (error) {
      await inbox.refused(denial, error instanceof Error ? error.message : String(error));
    } finally {
      denials.delete(reviewId);
      threads.leave(threadId);
    }
  }

  function settle(isSettled: (entry: Pending, id: RequestId) => boolean): void {
    for (const [id, entry] of [...pending]) {
      if (!isSettled(entry, id)) continue;
      pending.delete(id);
      const { request, isAnswered, stop } = entry;
      if (request === undefined || isAnswered) stop.abort();
      else void inbox.settled(request).finally(() => stop.abort());
    }
  }

  async function ask({ id, method, params }: ServerRequest): Promise<void> {
    const thread = threads.get(params.threadId);
    if (thread === undefined || !isApproval(method, params) || pending.has(id) || pending.size >= socketLimits.pending) return;
    const entry: Pending = { thread: params.threadId, isAnswered: false, stop: new AbortController() };
    pending.set(id, entry);
    const isOpen = () => pending.get(id) === entry;
    const request: CodexRequest = { id, method, params, session: thread.sessionId, cwd: thread.cwd };
    if (method === patchMethod) {
      const changes = await threads.changesOf(params.threadId, params["itemId"]);
      if (changes === undefined || !isOpen()) return;
      request.changes = changes;
    }
    if (sizeOf(request) > socketLimits.request) {
      return log("info", "A request of Codex is too large to show completely; its own prompt decides", { characters: sizeOf(request) });
    }
    entry.request = request;
    const decision = await inbox.ask(request, entry.stop.signal);
    if (decision === undefined || !isOpen()) return;
    entry.isAnswered = true;
    // `decline` has no room for a reason. Sent before it, the reason is part of what the agent gets with the refusal. Nothing waits between
    // the two: Codex' prompt is open until the second, and a yes there would run what was denied here.
    if (!decision.isAllowed && decision.reason !== undefined && typeof params.turnId === "string") {
      const input = [{ type: "text", text: `I denied this in askbox, and it was not run. My words: ${decision.reason}` }];
      const steer = { threadId: params.threadId, expectedTurnId: params.turnId, input };
      server.request("turn/steer", steer).catch(() => {});
    }
    // Whoever was first has decided. The daemon drops an answer that is late.
    server.respond(id, responseTo(method, decision.isAllowed));
  }

  try {
    await introduce(server, version);
    isReady = true;
    server.notify("initialized");
    const { data } = loadedSchema.parse(await server.request("thread/loaded/list", { limit: socketLimits.threads }));
    for (const id of data.slice(0, socketLimits.threads)) await threads.look(id);
    await server.closed;
  } finally {
    signal.removeEventListener("abort", stop);
    server.close();
    for (const { stop } of pending.values()) stop.abort();
    for (const stop of denials.values()) stop.abort();
    pending.clear();
    inbox.follows([]);
  }
}

/** Of which the hub is asked how they end; of an older one, only the hook lets the call through. */
const maxDenials = 20;

const patchMethod = "item/fileChange/requestApproval";

function isApproval(method: string, { _meta: meta }: ServerRequest["params"]): boolean {
  if (method === "mcpServer/elicitation/request") {
    return typeof meta === "object" && meta !== null && "codex_approval_kind" in meta && meta.codex_approval_kind === "mcp_tool_call";
  }
  return method === "item/commandExecution/requestApproval" || method === patchMethod;
}

/** For this one time only: what Codex could remember itself is never part of an answer. */
function responseTo(method: string, isAllowed: boolean): object {
  if (method !== "mcpServer/elicitation/request") return { decision: isAllowed ? "accept" : "decline" };
  return isAllowed ? { action: "accept", content: {}, _meta: null } : { action: "decline", content: null, _meta: null };
}

const sizeOf = (value: unknown): number => JSON.stringify(value).length;

interface Followed extends Pick<CodexThread, "cwd" | "sessionId"> {
  /** Whether a turn runs, or waits for a decision. */
  isActive: boolean;
  /** Whether the daemon sends this connection the thread's requests. */
  isJoined: boolean;
  patches: Map<string, FileChange[]>;
}

interface ThreadsOptions {
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

/** The daemon's threads. One is joined only while it runs, so that the daemon can unload it as usual. */
class CodexThreads {
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
    this.#threads.set(id, { cwd, sessionId, isActive: false, isJoined: false, patches: new Map() });
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
    thread.isActive = status.type === "active";
    if (thread.isActive) return void this.#join(id, thread);
    this.#options.onIdle(id);
    this.leaveIfDone(id);
  }

  /** A joined thread is never unloaded. */
  leaveIfDone(id: string): void {
    const thread = this.#threads.get(id);
    if (thread === undefined || !thread.isJoined || thread.isActive || this.#options.isPending(id)) return;
    thread.isJoined = false;
    thread.patches.clear();
    this.#options.server.request("thread/unsubscribe", { threadId: id }).catch(() => {});
  }

  /** The daemon counts a thread that was resumed as joined, whatever is known of it here. */
  leave(id: string): void {
    const thread = this.#threads.get(id);
    if (thread === undefined || thread.isJoined || thread.isActive) return;
    thread.isJoined = true;
    this.leaveIfDone(id);
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
