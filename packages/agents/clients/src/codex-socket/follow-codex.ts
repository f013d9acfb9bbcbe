import { type Log, silentLog } from "@askbox/core";
import { type AppServerChannel, createAppServer } from "./app-server.ts";
import { introduce } from "./introduce.ts";
import { type FileChange, loadedSchema, type Notification, type RequestId, type ServerRequest, socketLimits } from "./messages.ts";
import { CodexThreads } from "./threads.ts";

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
