import { performance } from "node:perf_hooks";
import type { Log } from "@askbox/core";
import { Link, type RedisMeter } from "./link.ts";
import { ConnectionLost } from "./redis-error.ts";
import type { RedisTarget } from "./redis-url.ts";
import {
  type Confirmation,
  confirmationFor,
  type RedisDurability,
  readServerFacts,
  redisDurability,
  type ServerFacts,
  Writer,
} from "./writer.ts";

/** How long a read waits for a connection that was just lost, in ms. */
const timeout = 1_000;
/** A check reads the server's settings again if they are older than this, in ms, since they may have changed. */
const factsLast = 10_000;

export interface RedisServerOptions {
  target: RedisTarget;
  keys: readonly string[];
  log: Log;
  background?: boolean | undefined;
  meter?: RedisMeter | undefined;
}

/**
 * The server as one store uses it, through three connections: one for writes, which may wait for disk and replicas; one for reads, which
 * never waits for that; and one for the feed, which is blocked most of the time.
 */
export class RedisServer {
  readonly reader: Pick<Link, "send" | "run">;
  readonly writer: Writer;
  /** Waits for no disk or replica: for data that is not an answer and is short-lived. */
  readonly hastyWriter: Writer;
  readonly feedLink: Link;
  readonly #readLink: Link;
  readonly #writeLink: Link;
  readonly #target: RedisTarget;
  readonly #log: Log;
  #confirmation: Confirmation = { disk: false, replicas: 0 };
  #durability: RedisDurability;
  #learntAt = 0;
  #onFeed: () => void = () => {};

  constructor({ target, keys, log, background, meter }: RedisServerOptions) {
    this.#target = target;
    this.#log = log;
    this.#durability = redisDurability({ engine: "Redis", canWaitForDisk: false, refused: [] }, this.#confirmation);
    this.#writeLink = new Link({ target, keys, log, background, meter, purpose: "writing", onUp: (link) => this.#learn(link) });
    this.#readLink = new Link({ target, keys, log, background, meter, purpose: "reading" });
    // A command there waits for what others change: its time says nothing.
    const connection: Partial<RedisMeter> | undefined = meter && { connection: (...report) => meter.connection(...report) };
    this.feedLink = new Link({ target, keys, log, purpose: "changes", meter: connection, onUp: async () => this.#onFeed() });
    const nothing: Confirmation = { disk: false, replicas: 0 };
    this.hastyWriter = new Writer({
      link: this.#readLink,
      timeout: target.timeout,
      confirmation: () => nothing,
      isEnough: async () => true,
    });
    this.writer = new Writer({
      link: this.#writeLink,
      timeout: target.timeout,
      confirmation: () => this.#confirmation,
      isEnough: async (had) => {
        await this.#learn(this.#writeLink);
        const { disk, replicas } = this.#confirmation;
        return (had.disk || !disk) && had.replicas >= replicas;
      },
    });
    this.reader = {
      send: (args, timeout) => this.#reading((link) => link.send(args, timeout)),
      run: (script, args, timeout) => this.#reading((link) => link.run(script, args, timeout)),
    };
  }

  get durability(): RedisDurability {
    return this.#durability;
  }

  async start(onFeed: () => void): Promise<void> {
    this.#onFeed = onFeed;
    await this.#writeLink.start();
    await Promise.all([this.#readLink.start(), this.feedLink.start()]);
  }

  async startWithoutFeed(): Promise<void> {
    await this.#writeLink.start();
    await this.#readLink.start();
  }

  /** Connects briefly to read how the server persists its data. */
  async inspect(): Promise<RedisDurability> {
    await this.#writeLink.start();
    return this.#durability;
  }

  /** Throws unless the server responds and is writable. */
  async check(): Promise<void> {
    if (!this.#writeLink.isUp) throw new ConnectionLost("There is no connection.", false, this.#writeLink.lastError);
    await this.#readLink.send(["PING"]);
    if (performance.now() - this.#learntAt > factsLast) await this.#learn(this.#readLink);
  }

  async writesFinished(): Promise<void> {
    await Promise.all([this.writer.finished(), this.hastyWriter.finished()]);
  }

  async close(): Promise<void> {
    for (const link of [this.#writeLink, this.#readLink, this.feedLink]) link.close();
  }

  /** Reads change nothing, so they are retried once if the connection broke. */
  async #reading<Reply>(read: (link: Link) => Promise<Reply>): Promise<Reply> {
    const link = this.#readLink;
    if (!link.isUp) await link.untilUp(timeout - link.awayFor);
    try {
      return await read(link);
    } catch (error) {
      if (!(error instanceof ConnectionLost) || !error.wasSent || !(await link.untilUp(timeout))) throw error;
      return read(link);
    }
  }

  /** Reads the server's settings; throws if it is read-only. */
  async #learn(link: Link): Promise<void> {
    const facts = await readServerFacts((args) => link.send(args));
    this.#learntAt = performance.now();
    if (facts.isReplica === true) throw new Error("READONLY It is a replica.");
    this.#confirmation = confirmationFor(facts, this.#target.replicas);
    const before = this.#durability;
    this.#durability = redisDurability(facts, this.#confirmation);
    this.#warn(facts, before);
  }

  #warn(facts: ServerFacts, before: RedisDurability): void {
    const added = this.#durability.advice.filter((sentence) => !before.advice.includes(sentence));
    for (const advice of added) this.#log("warn", advice, { store: this.#target.label, engine: facts.engine });
  }
}
