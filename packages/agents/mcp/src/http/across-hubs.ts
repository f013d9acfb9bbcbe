import { AskboxError, type Clock, type Log, type SharedState } from "@askbox/core";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import * as z from "zod";
import { type SessionAcross, SharedCalls } from "./carried-calls.ts";
import { isRelayed, type McpSession } from "./mcp-session.ts";
import type { McpCluster } from "./servers.ts";

/**
 * MCP sessions of older revisions at several hubs: a session that one hub started is recreated at another from its client's own initialize
 * request, and ended at all of them. A client's message that may belong to a call elsewhere is passed on. Its calls are carried by
 * `carried-calls.ts`.
 */

const topic = "mcp-sessions";

const eventSchema = z.object({
  from: z.string(),
  session: z.string(),
  event: z.discriminatedUnion("type", [
    z.object({ type: z.literal("ended") }),
    z.object({ type: z.literal("wanted"), stream: z.string() }),
    z.object({ type: z.literal("said"), message: z.unknown() }),
  ]),
});
type PeerEvent = z.output<typeof eventSchema>["event"];

export interface AcrossHubsOptions extends Pick<SessionAcross, "onTakenUp"> {
  cluster: McpCluster;
  clock: Clock;
  log: Log;
  /** Resolves when the calls of a request have ended here. */
  whenOver(request: Request): Promise<void>;
  /** A session that is open at this hub. */
  find(id: string): McpSession | undefined;
  /** A session has ended at another hub. */
  onEnded(id: string): void;
}

/** Coordinates the MCP sessions of older revisions with other hubs. */
export interface AcrossHubs {
  of(session: string): SessionAcross;
  /** Registers a new session. Throws `PAYLOAD_TOO_LARGE`, `STORE_UNAVAILABLE`. */
  began(id: string, session: KeptSession): Promise<void>;
  /** The session of this owner; recreated if another hub started it. Throws `STORE_UNAVAILABLE`. */
  find(
    id: string,
    owner: string,
    local: McpSession | undefined,
    make: (kept: KeptSession) => Promise<McpSession>,
  ): Promise<McpSession | undefined>;
  /** Ends a session at all hubs. Never rejects. */
  ended(id: string): Promise<void>;
  close(): void;
}

export function acrossHubs({ cluster, clock, log, whenOver, find, onEnded, onTakenUp }: AcrossHubsOptions): AcrossHubs {
  const { shared, broker } = cluster;
  const known = new SharedSessions(shared, clock);
  const making = new Map<string, Promise<McpSession>>();
  const publish = (session: string, event: PeerEvent) =>
    shared.publish(topic, JSON.stringify({ from: broker.id, session, event })).catch((error: unknown) => {
      log("debug", "The other hubs could not be notified of an MCP session", { error: String(error) });
    });
  const calls = new SharedCalls({ shared, broker, log, clock, want: (session, stream) => publish(session, { type: "wanted", stream }) });

  const receive = (text: string) => {
    const { from, session: id, event } = eventSchema.parse(JSON.parse(text));
    const session = from === broker.id ? undefined : find(id);
    if (session === undefined) return;
    if (event.type === "ended") {
      known.forget(id);
      onEnded(id);
    } else if (event.type === "wanted") session.carried?.yield(event.stream);
    else if (isRelayed(event.message)) session.receive(event.message);
  };
  const listening = shared.subscribe(topic, (text) => {
    try {
      receive(text);
    } catch (error) {
      log("debug", "A message from another hub about an MCP session could not be read", { error: String(error) });
    }
  });
  listening.catch((error: unknown) => log("warn", "Cannot subscribe to other hubs' MCP sessions", { error: String(error) }));

  return {
    of: (session) => ({
      calls,
      onTakenUp,
      self: broker.id,
      carried: cluster.asyncContext(),
      publish: (message: JSONRPCMessage) => void publish(session, { type: "said", message }),
      async whenFree(request) {
        await whenOver(request);
        await broker.released();
      },
    }),
    began: (id, session) => known.add(id, session),
    async find(id, owner, local, make) {
      let kept: KeptSession | undefined;
      try {
        kept = await known.use(id, owner);
      } catch (error) {
        if (local !== undefined) return local;
        throw error;
      }
      if (kept === undefined) {
        if (local !== undefined) onEnded(id);
        return undefined;
      }
      if (local !== undefined) return local;
      // Several requests of a session may be its first at this hub.
      const made = making.get(id) ?? make(kept).finally(() => making.delete(id));
      making.set(id, made);
      return made;
    },
    async ended(id) {
      await known
        .end(id)
        .catch((error: unknown) => log("warn", "An MCP session could not be ended at other hubs", { error: String(error) }));
      await publish(id, { type: "ended" });
    },
    close() {
      calls.close();
      listening.then(
        (stop) => stop(),
        () => {},
      );
    },
  };
}

/** A session that is unused for this long ends, in ms: a day. */
const disuse = 86_400_000;
/** How often the last use of a session is written, in ms. */
const renewEvery = 600_000;
const maxRemembered = 10_000;
/** The maximum size of a stored initialize request, in characters of JSON. */
const maxCharacters = 65_536;

const keptSchema = z.object({
  owner: z.string(),
  /** The parameters of its initialize request. */
  params: z.object({ protocolVersion: z.string() }).loose(),
});

/** What another hub needs to recreate a session. The rest is in each of its requests; tokens are not stored. */
type KeptSession = z.output<typeof keptSchema>;

type SessionValues = Pick<SharedState, "get" | "swap">;

/** The MCP sessions of older revisions that several hubs know. */
class SharedSessions {
  readonly #shared: SessionValues;
  readonly #clock: Clock;
  /** When each session's last use was written from here, in monotonic ms. */
  readonly #renewedAt = new Map<string, number>();

  constructor(shared: SessionValues, clock: Clock) {
    this.#shared = shared;
    this.#clock = clock;
  }

  /** Throws `PAYLOAD_TOO_LARGE`, `STORE_UNAVAILABLE`. */
  async add(id: string, session: KeptSession): Promise<void> {
    const text = JSON.stringify(session);
    if (text.length > maxCharacters) {
      throw new AskboxError("PAYLOAD_TOO_LARGE", `An initialize request may hold ${maxCharacters} characters; send a shorter one.`);
    }
    await this.#shared.swap(keyOf(id), undefined, text, disuse);
    this.#renewedAt.set(id, this.#clock.monotonic());
  }

  /**
   * The session of this owner, which counts as used; undefined if it has ended, or belongs to another owner. Throws `STORE_UNAVAILABLE`.
   */
  async use(id: string, owner: string): Promise<KeptSession | undefined> {
    const text = await this.#shared.get(keyOf(id));
    const kept = text === undefined ? undefined : keptSchema.safeParse(JSON.parse(text)).data;
    if (text === undefined || kept?.owner !== owner) return undefined;
    const now = this.#clock.monotonic();
    if (now - (this.#renewedAt.get(id) ?? Number.NEGATIVE_INFINITY) >= renewEvery) {
      // Clearing a map full of old sessions costs no more than one renewal each.
      if (this.#renewedAt.size > maxRemembered) this.#renewedAt.clear();
      this.#renewedAt.set(id, now);
      await this.#shared.swap(keyOf(id), text, text, disuse);
    }
    return kept;
  }

  /** Ends it for all hubs. */
  async end(id: string): Promise<void> {
    this.forget(id);
    const text = await this.#shared.get(keyOf(id));
    if (text !== undefined) await this.#shared.swap(keyOf(id), text, undefined, null);
  }

  /** This hub no longer has it. */
  forget(id: string): void {
    this.#renewedAt.delete(id);
  }
}

const keyOf = (id: string) => `mcp-session:${id.slice(0, 200)}`;
