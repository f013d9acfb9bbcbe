import { AskboxError, type Clock, type SharedState } from "@askbox/core";
import * as z from "zod";

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
export type KeptSession = z.output<typeof keptSchema>;

type SessionValues = Pick<SharedState, "get" | "swap">;

/** The MCP sessions of older revisions that several hubs know. */
export class SharedSessions {
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
