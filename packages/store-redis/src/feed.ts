import type { Log } from "@askbox/core";
import type { ChangeFeed } from "@askbox/core/stores";
import type { Link } from "./link.ts";
import { ConnectionLost } from "./redis-error.ts";
import { scripts } from "./scripts.ts";
import { fromExact, recordOf, storedSession } from "./values.ts";

/**
 * How a hub learns what others changed: it reads the stream of changes, and publishes each once, whether it made it or heard of it. If the
 * connection was away or the stream was trimmed, the numbers have a gap; then everything that is pending or was lately settled is read,
 * and the differences are published. A change can come late, but is never missed.
 */

/** The longest blocking read, in ms, so that a silently broken connection is noticed. */
const block = 4_000;
const readAtOnce = 500;
/** Settled sessions are dated by the clocks of their hubs, which may differ from the server's by this many ms. */
const settledSkew = 300_000;
/** The maximum number of sessions read that settled while this process was disconnected. */
const settledRead = 5_000;

type StreamReply = [stream: string, entries: [id: string, fields: string[]][]][] | null;

export interface FeedOptions {
  /** A separate connection, since a blocking read holds it. */
  link: Link;
  changesKey: string;
  sessionsKey: string;
  closingsKey: string;
  feed: Pick<ChangeFeed, "publish">;
  log: Log;
}

/**
 * Publishes the changes of all processes in one space, from a stream. After each reconnect, and whenever a gap is noticed, it reads all
 * pending sessions again and publishes the differences, so a missed change is only delayed.
 */
export class RedisFeed {
  readonly #options: FeedOptions;
  readonly #told = new ToldBook();
  #position = "0-0";
  /** The number of the last change seen in the stream. */
  #last = 0;
  #closed = false;
  #running: Promise<void> | undefined;
  #isFresh = false;
  /** All changes before this time have been read, by the server's clock. */
  #readAt = 0;

  constructor(options: FeedOptions) {
    this.#options = options;
  }

  /** Starts listening. Existing sessions are recorded as known, and not published. */
  async start(): Promise<void> {
    await this.#readAll({ publishes: false });
    this.#isFresh = true;
    this.#running = this.#run();
  }

  /** Publishes a change that this process made, unless the stream was faster. `value` is undefined for a removal. */
  apply(id: string, change: number, update: { revision: number; write: string; isPending: boolean; body?: string }): void {
    const { body } = update;
    const told: Told = { revision: update.revision, write: update.write, change, isPending: update.isPending };
    if (this.#told.take(id, told)) this.#publish(id, update.revision, body);
  }

  /** Called with each new connection of the link, before it is used. */
  connected(): void {
    this.#isFresh = false;
  }

  async close(): Promise<void> {
    this.#closed = true;
    // A blocking read holds the connection for seconds.
    this.#options.link.close();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { link, log, changesKey } = this.#options;
    while (!this.#closed) {
      try {
        if (!link.isUp && !(await link.untilUp(block))) continue;
        if (!this.#isFresh) {
          this.#isFresh = true;
          await this.#readAll({ publishes: true });
        }
        const args = ["XREAD", "COUNT", String(readAtOnce), "BLOCK", String(block), "STREAMS", changesKey, this.#position];
        const reply = await link.send<StreamReply>(args, block + 1_000);
        await this.#take(reply?.[0]?.[1] ?? []);
        if (this.#isFresh) this.#readAt = link.serverTime();
      } catch (error) {
        this.#isFresh = false;
        if (this.#closed || error instanceof ConnectionLost) continue;
        log("warn", "Changes of other hubs could not be read; reading all again", { error: String(error) });
        // In any case, a new connection starts from a known state, after a pause.
        link.renew(error instanceof Error ? error : new Error(String(error)));
        await link.untilUp(block);
      }
    }
  }

  async #take(entries: readonly [id: string, fields: string[]][]): Promise<void> {
    const found = entries.map(([position, list]) => ({ position, fields: pairs(list) }));
    const missing = found.filter(({ fields }) => fields["r"] !== "0" && fields["v"] === undefined).map(({ fields }) => String(fields["i"]));
    const values = new Map<string, string | null>();
    if (missing.length > 0) {
      const replies = await this.#options.link.send<(string | null)[]>(["HMGET", this.#options.sessionsKey, ...missing]);
      for (const [index, id] of missing.entries()) values.set(id, replies[index] ?? null);
    }
    for (const { position, fields } of found) {
      const number = Number(fields["n"]);
      if (number !== this.#last + 1) {
        // The stream was trimmed while this process was busy.
        this.#isFresh = false;
        return;
      }
      this.#position = position;
      this.#last = number;
      this.#takeEntry(fields, number, values);
    }
  }

  #takeEntry(fields: Readonly<Record<string, string>>, change: number, values: ReadonlyMap<string, string | null>): void {
    const key = String(fields["i"]);
    const id = fromExact(key);
    if (fields["r"] === "0") {
      this.apply(id, change, { revision: 0, write: "-", isPending: false });
      return;
    }
    const value = fields["v"] ?? values.get(key);
    // It has been removed since; that event follows.
    if (value === undefined || value === null) return;
    this.#applyValue(id, change, value);
  }

  #applyValue(id: string, change: number, value: string): void {
    const { revision, write, body } = storedSession(value);
    this.apply(id, change, { revision, write, isPending: isPendingValue(value), body });
  }

  /** Compares all pending sessions with what was published. */
  async #readAll({ publishes }: { publishes: boolean }): Promise<void> {
    const { link, closingsKey } = this.#options;
    const since = this.#readAt - settledSkew;
    this.#told.forgetChanges();
    const [position, number] = await link.run<[string, string]>(scripts.feedEnd, []);
    this.#position = position;
    this.#last = Number(number);
    const gone = new Set(this.#told.pendingIds());
    const recent = this.#told.settledIds();
    let from = "[p";
    for (;;) {
      const reply = await link.run<string[]>(scripts.heads, [from, "1000"]);
      const changed: string[] = [];
      for (let at = 0; at + 1 < reply.length; at += 2) {
        const member = String(reply[at]);
        const id = fromExact(member.slice(17));
        const [revision, writes = ""] = String(reply[at + 1]).split(" ");
        const write = writes.split(".", 1)[0] ?? "";
        gone.delete(id);
        const known = this.#told.get(id);
        if (!publishes) this.#told.put(id, { revision: Number(revision), write, change: 0, isPending: true });
        else if (known === undefined || known.write !== write) changed.push(id);
        from = `(${member}`;
      }
      await this.#readAgain(changed);
      if (reply.length < 2_000) break;
    }
    if (publishes) {
      // Sessions that are no longer pending, that were opened and settled in the meantime, and that may have been delivered or removed.
      const settled = await link.send<string[]>([
        "ZREVRANGEBYSCORE",
        closingsKey,
        "+inf",
        String(since),
        "LIMIT",
        "0",
        String(settledRead),
      ]);
      await this.#readAgain([...new Set([...gone, ...settled.map(fromExact), ...recent])]);
    }
    this.#readAt = link.serverTime();
  }

  /**
   * Reads these sessions, and publishes each that differs from what was published, unless something newer was published in the meantime.
   */
  async #readAgain(ids: readonly string[]): Promise<void> {
    const { link, sessionsKey } = this.#options;
    for (let at = 0; at < ids.length; at += 200) {
      const some = ids.slice(at, at + 200);
      const before = some.map((id) => this.#told.get(id));
      const values = await link.send<(string | null)[]>(["HMGET", sessionsKey, ...some.map((id) => JSON.stringify(id).slice(1, -1))]);
      for (const [index, id] of some.entries()) {
        if (this.#told.get(id) !== before[index]) continue;
        this.#compare(id, before[index], values[index] ?? null);
      }
    }
  }

  #compare(id: string, known: Told | undefined, value: string | null): void {
    if (value === null) {
      if (known === undefined || known.revision === 0) return;
      this.#told.put(id, { revision: 0, write: "-", change: 0, isPending: false });
      this.#publish(id, 0, undefined);
      return;
    }
    const { revision, write, body } = storedSession(value);
    if (known?.write === write) return;
    // Also if its revision went back: a failover may have lost a published change.
    this.#told.put(id, { revision, write, change: 0, isPending: isPendingValue(value) });
    this.#publish(id, revision, body);
  }

  #publish(id: string, revision: number, body: string | undefined): void {
    const { feed, log } = this.#options;
    if (body === undefined) {
      feed.publish({ id, revision });
      return;
    }
    try {
      recordOf(body);
    } catch (error) {
      log("warn", "A changed session cannot be read", { sessionId: id, error: String(error) });
      return;
    }
    feed.publish({ id, revision }, () => recordOf(body));
  }
}

const isPendingValue = (value: string): boolean => value.slice(0, value.indexOf("\n")).split(" ", 3)[2] === "P";

function pairs(list: readonly string[]): Record<string, string> {
  // keys: the fields that hubs write.
  const found: Record<string, string> = {};
  for (let at = 0; at + 1 < list.length; at += 2) found[String(list[at])] = String(list[at + 1]);
  return found;
}

/** What was last published about one session. */
export interface Told {
  revision: number;
  write: string;
  /** The number of that change; 0 if it was found by reading. */
  change: number;
  isPending: boolean;
}

/** How many settled sessions are remembered, to drop duplicate events. */
const settledKept = 2_000;

/**
 * What subscribers already know about each session, so that a duplicate event is published once and in order, and missed events can be
 * found by comparing. Contains all pending sessions and the latest settled ones.
 */
class ToldBook {
  readonly #pending = new Map<string, Told>();
  readonly #settled = new Map<string, Told>();

  get(id: string): Told | undefined {
    return this.#pending.get(id) ?? this.#settled.get(id);
  }

  /** Whether this is new; it then counts as published. `revision` is 0 for a removal. */
  take(id: string, change: Told): boolean {
    const known = this.get(id);
    if (known !== undefined && change.revision > 0) {
      if (known.write === change.write) return false;
      if (change.change <= known.change) return false;
      // Found by reading, so the number of its change is unknown: only older ones are dropped.
      if (known.revision >= change.revision) return false;
    }
    if (known !== undefined && change.revision === 0 && (known.revision === 0 || change.change <= known.change)) return false;
    this.put(id, change);
    return true;
  }

  put(id: string, told: Told): void {
    this.#pending.delete(id);
    this.#settled.delete(id);
    if (told.isPending) this.#pending.set(id, told);
    else {
      this.#settled.set(id, told);
      if (this.#settled.size > settledKept) for (const oldest of this.#settled.keys()) return void this.#settled.delete(oldest);
    }
  }

  /** Numbers may restart when a server has lost the last ones. */
  forgetChanges(): void {
    for (const book of [this.#pending, this.#settled]) for (const told of book.values()) told.change = 0;
  }

  pendingIds(): string[] {
    return [...this.#pending.keys()];
  }

  settledIds(): string[] {
    return [...this.#settled.keys()];
  }
}
