import { AskboxError, type CancelTimer, type Clock, type Log, type Platform } from "@askbox/core";
import { type AuthInfo, isInitializeRequest } from "@modelcontextprotocol/server";
import { type AcrossHubs, acrossHubs } from "./across-hubs.ts";
import type { OpenAgents } from "./askers.ts";
import type { McpExchange } from "./exchange.ts";
import { McpSession } from "./mcp-session.ts";
import { errorResponse, methodNotAllowed } from "./messages.ts";
import { type HttpMcpServers, type McpCluster, ownerOf } from "./servers.ts";

export interface LegacyEndpointOptions {
  platform: Platform;
  servers: HttpMcpServers;
  cluster: McpCluster | undefined;
  agents: OpenAgents;
  log: Log;
  /** A request is served by this session; `begunAt` is when its call began in another process (wall time, ms since the epoch). */
  onCall(request: Request, session: Pick<McpSession, "written">, begunAt?: number): void;
}

/** Streamable HTTP of the revisions before 2026-07-28, with sessions. */
export class LegacyEndpoint {
  readonly #options: LegacyEndpointOptions;
  readonly #sessions: McpSessions;
  readonly #across: AcrossHubs | undefined;

  constructor(options: LegacyEndpointOptions) {
    const { platform, cluster, servers, log, onCall } = options;
    this.#options = options;
    this.#sessions = new McpSessions(platform.clock, (id) => void this.#across?.ended(id));
    this.#across =
      cluster &&
      acrossHubs({
        cluster,
        clock: platform.clock,
        log,
        whenOver: async (request) => servers.whenOver?.(request),
        find: (id) => this.#sessions.find(id),
        onEnded: (id) => this.#sessions.end(id),
        onTakenUp: (request, { at }, session) => onCall(request, session, at),
      });
  }

  async serve(exchange: McpExchange, body: unknown, auth: AuthInfo): Promise<void> {
    const { method, headers } = exchange.request;
    const hasSession = headers.has("mcp-session-id");
    if (method !== "POST" && !hasSession) {
      return exchange.send(methodNotAllowed("GET, POST, DELETE", "Use POST; GET and DELETE take the header Mcp-Session-Id."));
    }
    if (method === "POST" && !hasSession && !isInitializeRequest(body)) {
      return exchange.send(errorResponse(400, "Begin with initialize, and send the header Mcp-Session-Id of its response."));
    }
    const session = await this.#sessionFor(exchange.request, body, auth);
    if (session === undefined) {
      return exchange.send(errorResponse(404, "This MCP session no longer exists; start a new one with initialize."));
    }
    this.#options.onCall(exchange.request, session);
    await this.#options.agents.during(session.id, session.serve(exchange, body, auth));
  }

  /** Ends the sessions of an owner whose token was revoked. */
  endOf(owner: string): void {
    this.#sessions.endOf(owner);
  }

  /** Resolves once every open call is left to the next hub. */
  async close(): Promise<void> {
    this.#across?.close();
    await this.#sessions.close();
  }

  async #sessionFor(request: Request, body: unknown, auth: AuthInfo): Promise<McpSession | undefined> {
    const across = this.#across;
    const owner = auth.clientId;
    const known = request.headers.get("mcp-session-id");
    if (known !== null) {
      const local = this.#sessions.get(known, owner);
      if (across === undefined) return local;
      return across.find(known, owner, local, async ({ params }) => {
        const session = await this.#make(known, request, auth);
        await session.restore(params, request, auth);
        this.#sessions.add(session);
        return session;
      });
    }
    const session = await this.#make(this.#options.platform.ids.session(), request, auth);
    if (isInitializeRequest(body)) {
      await across?.began(session.id, { owner, params: body.params });
      this.#sessions.add(session);
    }
    return session;
  }

  async #make(id: string, request: Request, auth: AuthInfo): Promise<McpSession> {
    const { platform, servers, log } = this.#options;
    const { factory } = servers.serverFor(ownerOf(auth), request);
    const session = new McpSession({
      id,
      owner: auth.clientId,
      factory,
      clock: platform.clock,
      log,
      across: this.#across?.of(id),
      free: () => this.#sessions.free(auth.clientId),
      onEnded: async () => {
        this.#sessions.end(id);
        await this.#across?.ended(id);
      },
    });
    await session.begin({ era: "legacy", authInfo: auth, requestInfo: request });
    return session;
  }
}

/** Maximum number of sessions per token; the least recently used one without a listener is dropped. */
const maxPerOwner = 500;
/** What all sessions of a token may store for clients that resume, in characters, besides what each may always store. */
const maxStored = 16_777_216;
/** A session that is unused for this long ends, in ms: a day. Its client starts a new one. */
const disuse = 86_400_000;
const sweepEvery = 600_000;

/** The open MCP sessions. */
class McpSessions {
  readonly #clock: Clock;
  readonly #onEnded: (id: string) => void;
  readonly #sessions = new Map<string, McpSession>();
  #cancelSweep: CancelTimer = () => {};

  /** `onEnded` is called for each session that is dropped before its client has ended it or left it unused for a day. */
  constructor(clock: Clock, onEnded: (id: string) => void = () => {}) {
    this.#clock = clock;
    this.#onEnded = onEnded;
    this.#sweepLater();
  }

  /** The session of this owner; undefined if there is none, or if it belongs to another owner. */
  get(id: string, owner: string): McpSession | undefined {
    const session = this.#sessions.get(id);
    return session?.owner === owner ? session : undefined;
  }

  /** Regardless of its owner. */
  find(id: string): McpSession | undefined {
    return this.#sessions.get(id);
  }

  /** Throws `RATE_LIMITED` if all sessions of this owner are in use. */
  add(session: McpSession): void {
    const own = this.#of(session.owner);
    if (own.length >= maxPerOwner) {
      const [unused] = own.filter(({ exchanges }) => exchanges === 0).sort((one, other) => one.usedAt - other.usedAt);
      if (unused === undefined)
        throw new AskboxError("RATE_LIMITED", `${maxPerOwner} MCP sessions of this token are in use; end some before you start more.`);
      this.end(unused.id);
      this.#onEnded(unused.id);
    }
    this.#sessions.set(session.id, session);
  }

  /** How much more this owner's sessions may store, in characters; negative if it is too much. */
  free(owner: string): number {
    return this.#of(owner).reduce((free, { stored }) => free - stored, maxStored);
  }

  #of(owner: string): McpSession[] {
    return [...this.#sessions.values()].filter((session) => session.owner === owner);
  }

  end(id: string): void {
    const session = this.#sessions.get(id);
    this.#sessions.delete(id);
    void session?.close();
  }

  /** Ends all sessions of a revoked token. */
  endOf(owner: string): void {
    for (const session of [...this.#sessions.values()]) {
      if (session.owner !== owner) continue;
      this.end(session.id);
      this.#onEnded(session.id);
    }
  }

  async close(): Promise<void> {
    this.#cancelSweep();
    const open = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.all(open.map((session) => session.close()));
  }

  #sweepLater(): void {
    this.#cancelSweep = this.#clock.setTimer(sweepEvery, () => {
      const oldest = this.#clock.monotonic() - disuse;
      for (const { id, exchanges, usedAt } of [...this.#sessions.values()]) if (exchanges === 0 && usedAt < oldest) this.end(id);
      this.#sweepLater();
    });
  }
}
