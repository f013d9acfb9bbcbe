import { type Log, silentLog } from "@askbox/core";
import { type AppServerChannel, createAppServer } from "./app-server.ts";
import {
  type CodexThread,
  type FileChange,
  isWaiting,
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

interface Followed extends Pick<CodexThread, "cwd" | "sessionId"> {
  isWaiting: boolean;
  /** Whether the daemon sends this connection the thread's requests. */
  isJoined: boolean;
  patches: Map<string, FileChange[]>;
}

interface Pending {
  thread: string;
  request?: CodexRequest;
  isAnswered: boolean;
  stop: AbortController;
}

/** Patches of one turn that are remembered. */
const maxPatches = 100;

/**
 * Takes the approvals of all sessions of a daemon to the inbox, until the connection ends or the signal aborts. A thread is joined only while
 * it waits for an approval, so that the daemon can unload it as usual. Whatever is not understood is left to Codex' own prompt.
 */
export async function followCodex(
  channel: AppServerChannel,
  { inbox, version, signal, tooLarge, log = silentLog }: FollowOptions,
): Promise<void> {
  const threads = new Map<string, Followed>();
  const pending = new Map<RequestId, Pending>();
  /** Threads that were looked up, also Codex' own. */
  const seen = new Set<string>();
  /** Threads that are being looked up, with the state that was reported in the meantime. */
  const looking = new Map<string, ThreadStatus>();
  // What happened before is in the list of threads.
  let isReady = false;
  const server = createAppServer(channel, {
    onRequest: (request) => void (isReady && take(request).catch(() => {})),
    onNotification: (notification) => void (isReady && onNotification(notification)),
  });
  const stop = () => server.close();
  signal.addEventListener("abort", stop, { once: true });

  const report = () => inbox.follows([...new Set([...threads].flatMap(([id, { sessionId }]) => [id, sessionId]))]);

  function add({ id, cwd, sessionId, ephemeral, status }: CodexThread): void {
    if (seen.size > 10 * socketLimits.threads) seen.clear();
    seen.add(id);
    if (ephemeral || threads.has(id) || threads.size >= socketLimits.threads) return;
    threads.set(id, { cwd, sessionId, isWaiting: false, isJoined: false, patches: new Map() });
    report();
    onStatus(id, status);
  }

  async function look(id: string, reported?: ThreadStatus): Promise<void> {
    if (reported !== undefined && looking.has(id)) return void looking.set(id, reported);
    if (seen.has(id) || looking.size >= socketLimits.threads) return;
    seen.add(id);
    looking.set(id, reported ?? { type: "unknown" });
    try {
      add(threadAnswerSchema.parse(await server.request("thread/read", { threadId: id })).thread);
      const later = looking.get(id);
      if (later?.type === "active") onStatus(id, later);
    } catch (error) {
      seen.delete(id);
      throw error;
    } finally {
      looking.delete(id);
    }
  }

  function drop(id: string): void {
    settle(({ thread }) => thread === id);
    seen.delete(id);
    if (threads.delete(id)) report();
  }

  function onNotification({ method, params }: Notification): void {
    switch (method) {
      case "thread/started":
        return add(params.thread);
      case "thread/closed":
        return drop(params.threadId);
      case "thread/status/changed":
        if (params.status.type === "notLoaded") return drop(params.threadId);
        if (threads.has(params.threadId)) return onStatus(params.threadId, params.status);
        return void look(params.threadId, params.status).catch(() => {});
      case "serverRequest/resolved":
        settle((_entry, id) => id === params.requestId);
        return leaveIfDone(params.threadId);
      case "item/started":
        return remember(params.threadId, [[params.item.id, params.item.changes]]);
    }
  }

  function onStatus(id: string, status: ThreadStatus): void {
    const thread = threads.get(id);
    if (thread === undefined) return;
    thread.isWaiting = isWaiting(status);
    if (thread.isWaiting) return void join(id, thread).catch(() => {});
    if (status.type !== "active") settle((entry) => entry.thread === id);
    leaveIfDone(id);
  }

  async function join(id: string, thread: Followed): Promise<void> {
    if (thread.isJoined) return;
    thread.isJoined = true;
    try {
      // The daemon then sends what is pending again.
      await server.request("thread/resume", { threadId: id, excludeTurns: true });
    } catch (error) {
      thread.isJoined = false;
      throw error;
    }
  }

  /** A joined thread is never unloaded. */
  function leaveIfDone(id: string): void {
    const thread = threads.get(id);
    if (thread === undefined || !thread.isJoined || thread.isWaiting) return;
    if ([...pending.values()].some((entry) => entry.thread === id)) return;
    thread.isJoined = false;
    thread.patches.clear();
    server.request("thread/unsubscribe", { threadId: id }).catch(() => {});
  }

  function remember(id: string, patches: readonly [id: string, changes: FileChange[]][]): void {
    const known = threads.get(id)?.patches;
    for (const [item, changes] of patches) {
      if (known === undefined || known.size >= maxPatches) return;
      // What is too large to be asked about is not kept either.
      if (sizeOf(changes) <= socketLimits.request) known.set(item, changes);
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

  async function take({ id, method, params }: ServerRequest): Promise<void> {
    const thread = threads.get(params.threadId);
    if (thread === undefined || !isApproval(method, params) || pending.has(id) || pending.size >= socketLimits.pending) return;
    const entry: Pending = { thread: params.threadId, isAnswered: false, stop: new AbortController() };
    pending.set(id, entry);
    const isOpen = () => pending.get(id) === entry;
    const request: CodexRequest = { id, method, params, session: thread.sessionId, cwd: thread.cwd };
    if (method === patchMethod) {
      const changes = await changesOf(params.threadId, thread, params["itemId"]);
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

  /** What a patch does: as the daemon announced it, or from the turn that is running. */
  async function changesOf(id: string, thread: Followed, item: unknown): Promise<FileChange[] | undefined> {
    if (typeof item !== "string") return undefined;
    if (!thread.patches.has(item) && !tooLarge.has(id)) {
      const lastTurn = { limit: 1, sortDirection: "desc", itemsView: "full" };
      // An answer beyond the limit of a message ends the connection.
      tooLarge.add(id);
      const asked = server.request("thread/resume", { threadId: id, excludeTurns: true, initialTurnsPage: lastTurn });
      const answer = await asked.finally(() => server.isOpen() && tooLarge.delete(id));
      const { success, data } = lastTurnSchema.safeParse(answer);
      if (success) remember(id, patchesOf(data.initialTurnsPage.data.flatMap(({ items }) => items)));
    }
    return thread.patches.get(item);
  }

  try {
    const capabilities = { experimentalApi: true, requestAttestation: false, optOutNotificationMethods: unneeded };
    await server.request("initialize", { clientInfo: { name: "askbox", title: "askbox", version }, capabilities });
    isReady = true;
    server.notify("initialized");
    const { data } = loadedSchema.parse(await server.request("thread/loaded/list", { limit: socketLimits.threads }));
    for (const id of data.slice(0, socketLimits.threads)) await look(id).catch(() => {});
    await server.closed;
  } finally {
    signal.removeEventListener("abort", stop);
    server.close();
    for (const { stop } of pending.values()) stop.abort();
    pending.clear();
    inbox.follows([]);
  }
}

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

/** Frequent notifications about what an agent says and does. */
const unneeded = [
  ...["item/agentMessage/delta", "item/plan/delta", "item/completed", "item/fileChange/outputDelta", "item/fileChange/patchUpdated"],
  ...["item/reasoning/summaryTextDelta", "item/reasoning/summaryPartAdded", "item/reasoning/textDelta", "item/mcpToolCall/progress"],
  ...["item/commandExecution/outputDelta", "command/exec/outputDelta", "process/outputDelta", "thread/tokenUsage/updated"],
  ...["account/rateLimits/updated", "turn/diff/updated", "turn/plan/updated", "rawResponse/completed", "rawResponseItem/completed"],
];
