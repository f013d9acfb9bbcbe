import type { Link } from "../link.ts";

/** How long a new connection may take to subscribe, in ms. */
const timeout = 5_000;
/** How often it is tested whether events arrive, and how long they may take, in ms. */
const echoEvery = 2_000;
const echoMost = 6_000;

type Listener = (message: string) => void;

interface SubscriptionsOptions {
  /** A separate connection: a subscribed one accepts no other commands. */
  link: Link;
  channelOf(topic: string): string;
  publish(topic: string, message: string): Promise<void>;
  /** Names this process's own topic. */
  self: string;
}

/** The subscriptions of this process, on the current connection. A connection that stops delivering events is replaced. */
export class Subscriptions {
  readonly #options: SubscriptionsOptions;
  readonly #listeners = new Map<string, Set<Listener>>();
  /** The connection on which each topic is subscribed. */
  readonly #subscribedOn = new Map<string, object>();
  readonly #echoTopic: string;
  #echoedAt = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<void> = Promise.resolve();

  constructor(options: SubscriptionsOptions) {
    this.#options = options;
    this.#echoTopic = `echo:${options.self}`;
  }

  async start(): Promise<void> {
    await this.add(this.#echoTopic, () => {
      this.#echoedAt = performance.now();
    });
    this.#echoedAt = performance.now();
    this.#timer = setInterval(() => this.#echo(), echoEvery);
    this.#timer.unref();
  }

  async add(topic: string, listener: Listener): Promise<() => void> {
    const listeners = this.#listeners.get(topic) ?? new Set();
    // The same function may subscribe twice.
    const own: Listener = (message) => listener(message);
    this.#listeners.set(topic, listeners.add(own));
    await this.#catchUp();
    return () => void listeners.delete(own);
  }

  /** Called with each new connection: subscribes as soon as it is ready. */
  connected(): void {
    this.#catchUp().catch((error) => this.#options.link.renew(error));
  }

  close(): void {
    clearInterval(this.#timer);
    this.#listeners.clear();
  }

  #catchUp(): Promise<void> {
    const turn = this.#working.then(() => this.#listen());
    this.#working = turn.catch(() => {});
    return turn;
  }

  async #listen(): Promise<void> {
    const { link, channelOf } = this.#options;
    if (!(await link.untilUp(timeout))) throw link.lastError ?? new Error("There is no connection.");
    const { client } = link;
    if (client === undefined) throw new Error("The connection broke.");
    for (const topic of this.#listeners.keys()) {
      if (this.#subscribedOn.get(topic) === client) continue;
      await client.subscribe(channelOf(topic), (message) => this.#deliver(topic, message));
      this.#subscribedOn.set(topic, client);
    }
    this.#echoedAt = performance.now();
  }

  #deliver(topic: string, message: string): void {
    for (const listener of [...(this.#listeners.get(topic) ?? [])]) {
      try {
        listener(message);
      } catch {
        // A listener that throws must not keep the event from the others.
      }
    }
  }

  #echo(): void {
    const { link, publish } = this.#options;
    if (!link.isUp) return;
    const silentFor = performance.now() - this.#echoedAt;
    publish(this.#echoTopic, "").then(
      // If nothing can be published, nothing can arrive either.
      () => silentFor > echoMost && performance.now() - this.#echoedAt > echoMost && link.renew(new Error("No messages arrive.")),
      () => {},
    );
  }
}
