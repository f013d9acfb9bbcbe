import { AskboxError, type AskerInfo, type CancelTimer, type Log, type Platform, type SharedState } from "@askbox/core";
import * as z from "zod";
import { eventErrors, type NamedAsker } from "../events.ts";
import { jsonIn, parsed, readEvents, startOf, subscribeSchema, unsubscribeSchema } from "./events.ts";
import type { Owner } from "./servers.ts";

/**
 * Subscriptions of webhooks. In this order:
 *
 * 1. A client names a receiver and the secret that signs what it gets. The receiver is asked whether it wants that: it must send back a challenge.
 * 2. The subscription is kept, with its position among the events, beside the store, so that the next hub continues it.
 * 3. Whatever changes in the inbox, each subscription of that owner is looked at. One event is sent at a time, and the position moves on once it
 *    was taken: a hub that is killed in between sends it again, with the same id.
 * 4. An event that isn't taken is sent again a few times, and then waits until the client subscribes again. One that a receiver will never take
 *    (410, 413) is left out.
 * 5. It ends with its time, with `events/unsubscribe`, or with the token.
 */

/** Subscriptions of one token, and of all. */
const most = { ofOwner: 10, all: 100 };
/** Receivers that are asked in a minute: for one token, at one host, and for all. */
const perMinute = { ofOwner: 10, atHost: 10, all: 60 };
const minute = 60_000;
/** How long a subscription lasts, in ms. */
const ttl = { least: 300_000, usual: 3_600_000, most: 86_400_000 };
/** How long the former secret signs beside a new one, in ms. */
const bothSecrets = 600_000;
/** Pauses before an event is sent again, in ms. */
const pauses = [5_000, 30_000, 120_000, 300_000];
/** Events that are sent at once, and the pause after them, in ms: a subscription may begin with thousands, and each is read from the store. */
const burst = { most: 20, pause: 20_000 };
/** How long a receiver may take, in ms. */
const timeout = 10_000;
/** How long one of several hubs keeps sending, in ms, unless it says so again. */
const turn = 60_000;
/** How events are sent. */
const modes: readonly string[] = ["webhook"];
const key = "mcp-events";

const keptSchema = z.object({
  id: z.string(),
  owner: z.string(),
  info: z.object({ client: z.object({ name: z.string() }), project: z.string().optional(), agentId: z.string().optional() }),
  url: z.string(),
  secret: z.string(),
  former: z.object({ secret: z.string(), until: z.number() }).optional(),
  until: z.number(),
  cursor: z.string(),
  active: z.boolean(),
  /** How often the next event was not taken. */
  failed: z.number().default(0),
  lastDeliveryAt: z.number().optional(),
  lastError: z.string().optional(),
});
type Kept = z.output<typeof keptSchema>;
type Receiver = Pick<Kept, "id" | "url" | "secret" | "former">;

/** Why a receiver did not get something: all that a client may learn of it. */
export type CallbackProblem = "connection_refused" | "timeout" | "tls_error" | "http_4xx" | "http_5xx" | "challenge_failed";

/** What a receiver answered, or why it did not. */
export type CallbackAnswer = { status: number; text: string } | CallbackProblem;

/** What subscriptions need of their hub. */
export interface EventSubscriptionsOptions {
  platform: Platform;
  /** Closed with the subscriptions. */
  kept: Pick<SharedState, "get" | "swap" | "close">;
  /** This hub's id, if there are several. */
  hub: string | undefined;
  /** What is wrong with a receiver; undefined if it may be used. */
  problem(delivery: { url: string; secret: string }): string | undefined;
  /** Posts to a receiver, without following a redirect; never to an address that is not public. Rejects with nothing but an aborted signal's reason. */
  post(url: string, sent: { headers: Record<string, string>; body: string; signal: AbortSignal }): Promise<CallbackAnswer>;
  /** Signs with a secret of Standard Webhooks. */
  sign(secret: string, signed: string): string;
  asker(owner: string): NamedAsker["port"] & { close(): void };
  /** Whether the owner's token is gone: it may have been revoked while no hub, or one without webhooks, was running. */
  wasRevoked(owner: string): Promise<boolean>;
  log: Log;
}

/** The webhooks that clients have subscribed to, which send what waits for their agents. A hub has one of these; the next hub goes on with what is kept. */
export class EventSubscriptions {
  readonly #options: EventSubscriptionsOptions;
  readonly #closing = new AbortController();
  /** What is being sent, by subscription, and whether something changed since. */
  readonly #running = new Map<string, { again: boolean; done: Promise<void> }>();
  /** Those that are looked at later. */
  readonly #later = new Map<string, CancelTimer>();
  /** What is kept, as it was last read: all subscriptions are looked at together. */
  #parsed: { text?: string | undefined; list: readonly Kept[] } = { list: [] };
  #asked: { at: number; owner: string; host: string }[] = [];
  /** Counts the revoked tokens: one that is just subscribing may be among them. */
  #ends = 0;

  constructor(options: EventSubscriptionsOptions) {
    this.#options = options;
  }

  /** Whether something is still to be sent. */
  get isBusy(): boolean {
    return this.#running.size + this.#later.size > 0;
  }

  async subscribe(caller: Owner, { info: said }: NamedAsker, params: unknown) {
    const { name, cursor, maxAgeMs, ttlMs, delivery } = parsed(subscribeSchema, params);
    const { url, secret, mode } = delivery;
    if (!modes.includes(mode)) throw eventErrors.unsupported(mode);
    const { platform, problem, log } = this.#options;
    const now = platform.clock.now();
    const ends = this.#ends;
    const wrong = problem(delivery);
    if (wrong !== undefined) throw eventErrors.invalid(wrong);
    const { owner, expiresAt = Number.POSITIVE_INFINITY } = caller;
    const info = infoOf(caller, said);
    const id = await this.#idOf(owner, info, { name, url });
    const list = await this.#list();
    const known = list.find((one) => one.id === id);
    if (known === undefined) checkRoom(list, owner);
    // A receiver that is known has wanted it. One that fails gets something at once, which counts like a challenge.
    if (known === undefined || known.failed > 0) this.#admit(owner, new URL(url).host);
    if (known === undefined) await this.#challenge({ id, url, secret });
    const start = startOf(known === undefined ? { cursor, maxAgeMs } : known, now);
    // In quiet times, the position must not become too old.
    const read = await this.#read({ owner, info, cursor: start.cursor });
    const safe = read.events.length === 0 ? read.cursor : start.cursor;
    const until = Math.min(now + Math.min(Math.max(ttlMs ?? ttl.usual, ttl.least), ttl.most), expiresAt);
    await this.#change((current) => {
      if (ends !== this.#ends) throw eventErrors.forbidden("Access changed; try again");
      const before = current.find((one) => one.id === id);
      if (before === undefined) checkRoom(current, owner);
      const isNewSecret = before !== undefined && before.secret !== secret;
      const former = isNewSecret ? { secret: before.secret, until: now + bothSecrets } : before?.former;
      const position = before === undefined || before.cursor === known?.cursor ? safe : before.cursor;
      const next: Kept = { ...before, id, owner, info, url, secret, former, until, cursor: position, active: true, failed: 0 };
      return [...current.filter((one) => one.id !== id), next];
    });
    log("info", "An agent subscribed to its events", { owner, host: new URL(url).host, isNew: known === undefined });
    if (known === undefined || known.failed > 0) this.#cancel(id);
    this.#deliver(id);
    const granted = { id, refreshBefore: iso(until), cursor: safe, truncated: start.truncated };
    if (known === undefined) return granted;
    const { active, lastDeliveryAt, lastError = null } = known;
    return { ...granted, deliveryStatus: { active, lastDeliveryAt: iso(lastDeliveryAt), lastError } };
  }

  async unsubscribe(caller: Owner, { info }: NamedAsker, params: unknown) {
    const { name, delivery } = parsed(unsubscribeSchema, params);
    const id = await this.#idOf(caller.owner, infoOf(caller, info), { name, url: delivery.url });
    if ((await this.#remove((one) => one.id === id)).length === 0) throw eventErrors.notFound("subscription");
    this.#cancel(id);
    return {};
  }

  /** Something changed for this owner, or for any. Never rejects. */
  async changed(owner?: string): Promise<void> {
    try {
      for (const one of await this.#list()) if (owner === undefined || one.owner === owner) this.#deliver(one.id);
    } catch (error) {
      this.#options.log("warn", "The subscriptions to events could not be read", { error: String(error) });
    }
  }

  /** The token was revoked: its receivers are told that they get nothing more. Never rejects. */
  async end(owner: string): Promise<void> {
    this.#ends += 1;
    try {
      const { code, message, data } = eventErrors.forbidden("Access revoked");
      const error = { code, message, data };
      const ended = await this.#remove((one) => one.owner === owner);
      await Promise.all(ended.map((one) => this.#send(one, this.#messageId("terminated"), { type: "terminated", error })));
    } catch (error) {
      this.#options.log("warn", "The subscriptions of a revoked token could not be ended", { owner, error: String(error) });
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    for (const id of [...this.#later.keys()]) this.#cancel(id);
    await Promise.all([...this.#running.values()].map(({ done }) => done));
    await this.#options.kept.close();
  }

  /** Sends what there is, one event after the other. Called while that runs, it looks again at the end. Never rejects. */
  #deliver(id: string): void {
    const running = this.#running.get(id);
    if (running !== undefined) running.again = true;
    if (running !== undefined || this.#closing.signal.aborted) return;
    const state = { again: true, done: Promise.resolve() };
    this.#running.set(id, state);
    const work = async () => {
      try {
        for (; state.again; ) {
          state.again = false;
          for (let sent = 1; await this.#deliverNext(id); sent += 1) if (sent === burst.most) this.#again(id, burst.pause);
        }
      } catch (error) {
        this.#options.log("warn", "Events could not be sent", { subscription: id, error: String(error) });
        this.#again(id, turn);
      }
      // At once: whoever calls after the last look must not find it running.
      this.#running.delete(id);
    };
    state.done = work();
  }

  /** Whether the next one may be sent. */
  async #deliverNext(id: string): Promise<boolean> {
    if (this.#later.has(id) || this.#closing.signal.aborted) return false;
    const one = (await this.#list()).find((each) => each.id === id);
    if (one?.active !== true) return false;
    if (!(await this.#isOurTurn())) return this.#again(id, turn);
    const { events, cursor, truncated } = await this.#read(one);
    const [event] = events;
    if (event === undefined) return false;
    if (await this.#options.wasRevoked(one.owner)) {
      await this.end(one.owner);
      return false;
    }
    // With the event only: each change in the inbox would send it again.
    if (truncated) await this.#send(one, this.#messageId("gap"), { type: "gap", cursor });
    const { problem, isFinal } = await this.#send(one, event.eventId, { ...event, cursor });
    if (this.#closing.signal.aborted && problem !== undefined) return false;
    if (problem !== undefined && !isFinal) {
      const pause = pauses[one.failed];
      await this.#update(one, { failed: one.failed + 1, lastError: problem, active: pause !== undefined });
      return pause !== undefined && this.#again(id, pause);
    }
    const taken = { lastDeliveryAt: this.#options.platform.clock.now(), lastError: undefined };
    await this.#update(one, { cursor, failed: 0, ...(!isFinal && taken) });
    return true;
  }

  #again(id: string, pause: number): false {
    this.#cancel(id);
    const due = () => {
      this.#later.delete(id);
      this.#deliver(id);
    };
    if (!this.#closing.signal.aborted) this.#later.set(id, this.#options.platform.clock.setTimer(pause, due));
    return false;
  }

  #cancel(id: string): void {
    this.#later.get(id)?.();
    this.#later.delete(id);
  }

  /** `isFinal`: it will never be taken. */
  async #send(one: Receiver, messageId: string, told: object): Promise<{ text?: string; problem?: CallbackProblem; isFinal?: boolean }> {
    const { platform, post, sign } = this.#options;
    const { clock } = platform;
    const body = JSON.stringify(told);
    const timestamp = String(Math.floor(clock.now() / 1_000));
    const secrets = [one.secret, ...(one.former !== undefined && one.former.until > clock.now() ? [one.former.secret] : [])];
    const headers = {
      "content-type": "application/json",
      "user-agent": "askbox",
      "webhook-id": messageId,
      "webhook-timestamp": timestamp,
      "webhook-signature": secrets.map((secret) => sign(secret, `${messageId}.${timestamp}.${body}`)).join(" "),
      "x-mcp-subscription-id": one.id,
    };
    const late = new AbortController();
    const cancel = clock.setTimer(timeout, () => late.abort());
    const sent = post(one.url, { headers, body, signal: AbortSignal.any([late.signal, this.#closing.signal]) });
    const answer = await sent.catch(() => "timeout" as const).finally(cancel);
    if (typeof answer === "string") return { problem: answer };
    const { status, text } = answer;
    if (status >= 200 && status < 300) return { text };
    return { problem: status >= 500 ? "http_5xx" : "http_4xx", isFinal: status === 410 || status === 413 };
  }

  /** Throws if too much was sent lately because somebody subscribed. */
  #admit(owner: string, host: string): void {
    const now = this.#options.platform.clock.monotonic();
    this.#asked = this.#asked.filter(({ at }) => at > now - minute);
    const count = (isSame: (asked: { owner: string; host: string }) => boolean) => this.#asked.filter(isSame).length;
    const isFull = this.#asked.length >= perMinute.all || count((asked) => asked.host === host) >= perMinute.atHost;
    if (isFull || count((asked) => asked.owner === owner) >= perMinute.ofOwner)
      throw eventErrors.exhausted("verificationsPerMinute", perMinute.ofOwner);
    this.#asked.push({ at: now, owner, host });
  }

  /** Throws unless the receiver sends the challenge back. */
  async #challenge(one: Receiver): Promise<void> {
    const { ids, digest } = this.#options.platform;
    const challenge = `${ids.session()}${ids.session()}`;
    const { text = "", problem } = await this.#send(one, this.#messageId("verification"), { type: "verification", challenge });
    if (problem !== undefined) throw eventErrors.callback(problem);
    // Digests, so that the time it takes tells nothing.
    if ((await digest(String(Object(jsonIn(text)).challenge))) !== (await digest(challenge)))
      throw eventErrors.callback("challenge_failed");
  }

  async #read({ owner, info, cursor }: Pick<Kept, "owner" | "info" | "cursor">) {
    const { platform, asker } = this.#options;
    const port = asker(owner);
    try {
      return await readEvents({ port, info }, { cursor, maxEvents: 1 }, { now: platform.clock.now(), digest: platform.digest });
    } finally {
      port.close();
    }
  }

  #messageId(type: string): string {
    return `msg_${type}_${this.#options.platform.ids.session()}`;
  }

  async #idOf(owner: string, info: Kept["info"], { name, url }: { name: string; url: string }): Promise<string> {
    const { client, project = null, agentId = null } = info;
    const hash = await this.#options.platform.digest(JSON.stringify([owner, client.name, project, agentId, url, name, {}]));
    return `sub_${hash.slice(0, 32)}`;
  }

  async #list(): Promise<Kept[]> {
    return this.#parse(await this.#options.kept.get(key));
  }

  /** Those that last; what an older askbox, or a newer one, has written otherwise is forgotten: its clients subscribe again. */
  #parse(text: string | undefined): Kept[] {
    const now = this.#options.platform.clock.now();
    // One that lasts too long was made while the clock was wrong.
    if (text !== this.#parsed.text) this.#parsed = { text, list: z.array(keptSchema).safeParse(jsonIn(text ?? "[]")).data ?? [] };
    return this.#parsed.list.filter(({ until }) => until > now && until < now + 2 * ttl.most);
  }

  #update({ id }: Kept, change: Partial<Kept>): Promise<void> {
    return this.#change((list) => list.map((one) => (one.id === id ? { ...one, ...change } : one)));
  }

  async #remove(isOut: (one: Kept) => boolean): Promise<Kept[]> {
    let removed: Kept[] = [];
    await this.#change((list) => {
      removed = list.filter(isOut);
      return list.filter((one) => !isOut(one));
    });
    return removed;
  }

  async #change(change: (list: Kept[]) => Kept[]): Promise<void> {
    for (let tries = 0; tries < 50; tries += 1) {
      const text = await this.#options.kept.get(key);
      const list = change(this.#parse(text));
      const next = list.length === 0 ? undefined : JSON.stringify(list);
      if (next === text || (await this.#options.kept.swap(key, text, next, ttl.most))) return;
    }
    throw new AskboxError("STORE_UNAVAILABLE", "The subscriptions to events change too often; try again.");
  }

  async #isOurTurn(): Promise<boolean> {
    const { hub, kept } = this.#options;
    if (hub === undefined) return true;
    const now = await kept.get(`${key}:sender`);
    return (now === undefined || now === hub) && (await kept.swap(`${key}:sender`, now, hub, turn));
  }
}

/** The agent, whichever of its conversations subscribed. */
const infoOf = ({ agentId }: Owner, { client, project, agentId: said }: AskerInfo): Kept["info"] => ({
  client: { name: client.name },
  project,
  agentId: agentId ?? said,
});

function checkRoom(list: readonly Kept[], owner: string): void {
  if (list.filter((one) => one.owner === owner).length >= most.ofOwner) throw eventErrors.exhausted("subscriptions", most.ofOwner);
  if (list.length >= most.all) throw eventErrors.exhausted("subscriptions", most.all);
}

const iso = (at: number | undefined) => (at === undefined ? null : new Date(at).toISOString());
