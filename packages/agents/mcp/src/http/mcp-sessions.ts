import { AskboxError, type CancelTimer, type Clock } from "@askbox/core";
import type { McpSession } from "./mcp-session.ts";

/** Maximum number of sessions per token; the least recently used one without a listener is dropped. */
const maxPerOwner = 500;
/** What all sessions of a token may store for clients that resume, in characters, besides what each may always store. */
const maxStored = 16_777_216;
/** A session that is unused for this long ends, in ms: a day. Its client starts a new one. */
const disuse = 86_400_000;
const sweepEvery = 600_000;

/** The open MCP sessions. */
export class McpSessions {
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
