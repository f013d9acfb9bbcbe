import { performance } from "node:perf_hooks";
import type { Confirmation } from "./durability.ts";
import type { Link } from "./link.ts";
import { ConnectionLost, isElsewhere, replyCode, Unconfirmed } from "./redis-error.ts";
import type { Script } from "./scripts.ts";

/** How long a write waits for a connection that was just lost, in ms: short gaps are waited out, outages are reported at once. */
const maxWait = 1_000;

/** A server that refuses writes is tried again while this much time is left, in ms. */
const lastTry = 50;

interface QueuedCommand {
  send(): Promise<unknown>;
  resolve(reply: unknown): void;
  reject(error: unknown): void;
}

export interface WriterOptions {
  link: Link;
  /** In ms. */
  timeout: number;
  confirmation(): Confirmation;
  /** Called when a write got less durability than expected: whether that is enough with the server's current settings. */
  isEnough(had: Confirmation): Promise<boolean>;
  /** Monotonic time in ms; default the process's. */
  now?: (() => number) | undefined;
}

/**
 * Runs the scripts that write. A write whose reply was lost is sent once more under the same name, by which the script knows whether it was
 * made; one that cannot be made in time is never made, because the server checks its own clock.
 */
export class Writer {
  readonly #options: WriterOptions;
  readonly #now: () => number;
  #queue: QueuedCommand[] = [];
  #flushing = false;
  #pending = 0;
  #idle: (() => void)[] = [];

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Throws `ConnectionLost` if it was not made or the result is unknown, the server's error, or `Unconfirmed`. */
  async run<Reply extends readonly [string, ...unknown[]]>(
    script: Script,
    args: readonly string[],
    keys?: readonly string[],
  ): Promise<Reply> {
    const { link, timeout } = this.#options;
    const until = this.#now() + timeout;
    let wasSent = false;
    this.#pending += 1;
    try {
      for (;;) {
        const rest = until - this.#now();
        if (rest <= 0) throw new ConnectionLost("There was no reply in time.", wasSent, link.lastError);
        // If it may have been made, retry until the time is up; a first attempt waits only briefly.
        const mayWait = wasSent ? rest : Math.min(rest, maxWait - link.awayFor);
        if (!link.isUp && !(await link.untilUp(mayWait))) throw new ConnectionLost("There is no connection.", wasSent, link.lastError);
        try {
          // In whole ms: Lua reads the number as text.
          const notAfter = String(Math.floor(link.serverTime() + rest));
          const reply = await this.#confirmed(() =>
            keys === undefined
              ? link.run<Reply>(script, [...args, notAfter], rest)
              : link.runWith<Reply>(script, keys, [...args, notAfter], rest),
          );
          if (reply[0] !== "late") return reply as Reply;
          // Either the time is up, or the server's clock was set forward.
          await link.readClock();
        } catch (error) {
          if (error instanceof ConnectionLost) wasSent ||= error.wasSent;
          else if (!isElsewhere(error)) throw error;
          else if (until - this.#now() < lastTry) throw error;
        }
      }
    } finally {
      this.#pending -= 1;
      if (this.#pending === 0) for (const resolve of this.#idle.splice(0)) resolve();
    }
  }

  /** Resolves when nothing is being written. */
  async finished(): Promise<void> {
    if (this.#pending === 0) return;
    await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  /** Runs it, and waits until its writes are durable; everything that arrives in the meantime shares the next wait. */
  #confirmed<Reply>(send: () => Promise<Reply>): Promise<Reply> {
    const { disk, replicas } = this.#options.confirmation();
    if (!disk && replicas === 0) return send();
    return new Promise<Reply>((resolve, reject) => {
      this.#queue.push({ send, resolve: resolve as (reply: unknown) => void, reject });
      if (!this.#flushing) void this.#flush();
    });
  }

  async #flush(): Promise<void> {
    this.#flushing = true;
    while (this.#queue.length > 0) {
      const batch = this.#queue.splice(0);
      const written = await Promise.allSettled(batch.map(({ send }) => send()));
      const doubt = written.some(({ status }) => status === "fulfilled") ? await this.#doubt() : undefined;
      for (const [index, result] of written.entries()) {
        if (result.status === "rejected") batch[index]?.reject(result.reason);
        else if (doubt !== undefined) batch[index]?.reject(doubt);
        else batch[index]?.resolve(result.value);
      }
    }
    this.#flushing = false;
  }

  /** Why the last write is not durable yet; undefined if it is. */
  async #doubt(): Promise<unknown> {
    const { confirmation, isEnough } = this.#options;
    const wanted = confirmation();
    let had: Confirmation = { disk: false, replicas: 0 };
    try {
      had = await this.#wait(wanted);
    } catch (error) {
      // The server may refuse because its settings have changed.
      if (replyCode(error) === undefined) return error;
    }
    const isConfirmed = (had.disk || !wanted.disk) && had.replicas >= wanted.replicas;
    if (isConfirmed || (await isEnough(had))) return undefined;
    return new Unconfirmed("Redis has the change, but its disk or its replicas have not confirmed it in time.");
  }

  async #wait({ disk, replicas }: Confirmation): Promise<Confirmation> {
    const { link, timeout } = this.#options;
    const maxWait = String(Math.ceil(timeout / 2));
    const [onDisk, onReplicas] = await Promise.all([
      disk ? link.send<[number, number]>(["WAITAOF", "1", "0", maxWait]) : undefined,
      replicas > 0 ? link.send<number>(["WAIT", String(replicas), maxWait]) : undefined,
    ]);
    return { disk: (onDisk?.[0] ?? 0) >= 1, replicas: onReplicas ?? 0 };
  }
}
