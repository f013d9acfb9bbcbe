import { AskboxError, type CancelTimer, type Clock } from "@askbox/core";
import type { McpSession } from "./mcp-session.ts";

/** Sessions of one token; the one used longest ago, of those that nobody listens to, makes way. */
const maxPerOwner = 500;
/** A session that nobody has used for so long has ended, in ms: a day. Its client begins a new one. */
const disuse = 86_400_000;
const sweepEvery = 600_000;

/** The MCP sessions that are open. */
export class McpSessions {
  readonly #clock: Clock;
  readonly #onEnded: (id: string) => void;
  readonly #sessions = new Map<string, McpSession>();
  #cancelSweep: CancelTimer = () => {};

  /** `onEnded` is called for each that ends before its client has ended it or left it alone for a day. */
  constructor(clock: Clock, onEnded: (id: string) => void = () => {}) {
    this.#clock = clock;
    this.#onEnded = onEnded;
    this.#sweepLater();
  }

  /** The session of this owner; undefined if there is none, or it is somebody else's. */
  get(id: string, owner: string): McpSession | undefined {
    const session = this.#sessions.get(id);
    return session?.owner === owner ? session : undefined;
  }

  /** Whoever's it is. */
  find(id: string): McpSession | undefined {
    return this.#sessions.get(id);
  }

  /** Throws `RATE_LIMITED` when all that this owner may have are in use. */
  add(session: McpSession): void {
    const own = [...this.#sessions.values()].filter(({ owner }) => owner === session.owner);
    if (own.length >= maxPerOwner) {
      const [unused] = own.filter(({ exchanges }) => exchanges === 0).sort((one, other) => one.usedAt - other.usedAt);
      if (unused === undefined)
        throw new AskboxError("RATE_LIMITED", `${maxPerOwner} MCP sessions of this token are in use; end some before you begin more.`);
      this.end(unused.id);
      this.#onEnded(unused.id);
    }
    this.#sessions.set(session.id, session);
  }

  end(id: string): void {
    const session = this.#sessions.get(id);
    this.#sessions.delete(id);
    void session?.close();
  }

  /** Ends all of a token that was revoked. */
  endOf(owner: string): void {
    for (const session of [...this.#sessions.values()]) {
      if (session.owner !== owner) continue;
      this.end(session.id);
      this.#onEnded(session.id);
    }
  }

  close(): void {
    this.#cancelSweep();
    for (const id of [...this.#sessions.keys()]) this.end(id);
  }

  #sweepLater(): void {
    this.#cancelSweep = this.#clock.setTimer(sweepEvery, () => {
      const oldest = this.#clock.monotonic() - disuse;
      for (const { id, exchanges, usedAt } of [...this.#sessions.values()]) if (exchanges === 0 && usedAt < oldest) this.end(id);
      this.#sweepLater();
    });
  }
}
