import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { WebSocketServer } from "ws";
import { type CodexThreadMessage, codexThread, lastTurn } from "./codex-socket-messages.ts";

interface Asked {
  id: number;
  method: string;
  params: { threadId: string; itemId?: string; [name: string]: unknown };
}

interface Client {
  send(message: object): void;
  joined: Set<string>;
}

/** A stand-in of Codex 0.169.0's daemon, as far as approvals go. */
export function createDaemon() {
  const threads = new Map<string, CodexThreadMessage>();
  const pending = new Map<number, Asked>();
  const clients = new Set<Client>();
  /** What clients sent, but for what belongs to every connection. */
  const received: { method?: string; params?: Record<string, unknown>; id?: number; result?: unknown }[] = [];
  let hasTurns = true;
  let isSteerAnswered = true;
  let refusal: string | undefined;
  let onTurns: (() => void) | undefined;

  const tell = (message: object, threadId?: string) => {
    for (const { send, joined } of clients) if (threadId === undefined || joined.has(threadId)) send(message);
  };
  const setStatus = (threadId: string) => {
    const thread = threads.get(threadId);
    if (thread === undefined) return;
    const isWaiting = [...pending.values()].some(({ params }) => params.threadId === threadId);
    thread.status = { type: "active", activeFlags: isWaiting ? ["waitingOnApproval"] : [] };
    tell({ method: "thread/status/changed", params: { threadId, status: thread.status }, emittedAtMs: 1 });
  };
  const settle = (id: number) => {
    const asked = pending.get(id);
    if (asked === undefined) return false;
    pending.delete(id);
    tell(
      { method: "serverRequest/resolved", params: { threadId: asked.params.threadId, requestId: id }, emittedAtMs: 1 },
      asked.params.threadId,
    );
    setStatus(asked.params.threadId);
    return true;
  };

  function connect(send: (text: string) => void): { receive(text: string): void; leave(): void } {
    const client: Client = { send: (message) => send(JSON.stringify(message)), joined: new Set() };
    clients.add(client);
    const receive = (text: string) => {
      const message = JSON.parse(text);
      const { id, method, params = {} } = message;
      const answer = (result: object) => client.send({ id, result });
      if (method !== "initialize" && method !== "initialized" && method !== "thread/loaded/list") received.push(message);
      const thread = threads.get(params.threadId);
      switch (method) {
        case "initialize":
          return answer({ userAgent: "codex-tui/0.169.0", codexHome: "/home/ada/.codex", platformFamily: "unix", platformOs: "linux" });
        case "thread/loaded/list":
          return answer({ data: [...threads.keys()], nextCursor: null });
        case "thread/read":
        case "thread/resume": {
          if (thread === undefined)
            return client.send({ id, error: { code: -32_600, message: `no rollout found for ${params.threadId}` } });
          if (params.initialTurnsPage !== undefined && onTurns !== undefined) return onTurns();
          const items = [...pending.values()].flatMap(({ params: { itemId } }) => itemId ?? []);
          const page = hasTurns && params.initialTurnsPage !== undefined ? lastTurn(items.at(-1) ?? "") : null;
          answer({ thread: { ...thread, turns: [] }, cwd: thread.cwd, approvalPolicy: "on-request", initialTurnsPage: page });
          if (method === "thread/read") return;
          client.joined.add(params.threadId);
          for (const asked of pending.values()) if (asked.params.threadId === params.threadId) client.send(asked);
          return;
        }
        case "thread/unsubscribe":
          client.joined.delete(params.threadId);
          return answer({ status: "unsubscribed" });
        case "thread/approveGuardianDeniedAction":
          return refusal === undefined ? answer({}) : client.send({ id, error: { code: -32_600, message: refusal } });
        case "turn/steer":
          return isSteerAnswered ? answer({ turnId: params.expectedTurnId }) : undefined;
        case undefined:
          settle(id);
      }
    };
    return { receive, leave: () => void clients.delete(client) };
  }

  return {
    received,
    pending,
    clients,
    connect,
    /** A session that a terminal began. */
    begin(id = codexThread.id, cwd = codexThread.cwd) {
      threads.set(id, { ...codexThread, id, sessionId: id, cwd });
      tell({ method: "thread/started", params: { thread: threads.get(id) }, emittedAtMs: 1 });
    },
    /** A turn begins or ends. */
    run(type: "active" | "idle" = "active", id = codexThread.id) {
      const thread = threads.get(id);
      if (thread === undefined) return;
      thread.status = { type, activeFlags: type === "active" ? [] : undefined };
      tell({ method: "thread/status/changed", params: { threadId: id, status: thread.status }, emittedAtMs: 1 });
    },
    /** Codex takes no overruled action from now on. */
    refuseOverruled(why: string) {
      refusal = why;
    },
    /** Codex opens its own prompt. */
    ask(request: Asked, item?: object) {
      if (item !== undefined)
        tell({ method: "item/started", params: { item, threadId: request.params.threadId } }, request.params.threadId);
      pending.set(request.id, request);
      tell(request, request.params.threadId);
      setStatus(request.params.threadId);
    },
    /** The person answers in Codex, or presses Esc. */
    settle,
    tell,
    /** The daemon no longer says what a turn holds. */
    hideTurns() {
      hasTurns = false;
    },
    /** The daemon takes the words of a person and says nothing yet. */
    holdSteers() {
      isSteerAnswered = false;
    },
    /** Instead of an answer with the last turn. */
    whenAskedForTurns(act: () => void) {
      onTurns = act;
    },
    /** What was answered to a request. */
    answers: () => received.filter(({ method }) => method === undefined).map(({ id, result }) => ({ id, result })),
    methods: () => received.map(({ method }) => method),
  };
}

/** The stand-in at its socket in a CODEX_HOME. */
export async function serveDaemon(codexHome: string, { mode = 0o700 }: { mode?: number } = {}) {
  const daemon = createDaemon();
  const folder = join(codexHome, "app-server-control");
  mkdirSync(folder, { recursive: true, mode });
  const http = createServer();
  const server = new WebSocketServer({ server: http });
  let connections = 0;
  server.on("connection", (socket) => {
    connections += 1;
    const { receive, leave } = daemon.connect((text) => socket.send(text));
    socket.on("message", (data) => receive(data.toString()));
    socket.on("close", leave);
  });
  http.listen(join(folder, "app-server-control.sock"));
  await once(http, "listening");
  return {
    ...daemon,
    connections: () => connections,
    /** Cuts all connections, as a daemon that was killed. */
    async close() {
      for (const socket of server.clients) socket.terminate();
      server.close();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
