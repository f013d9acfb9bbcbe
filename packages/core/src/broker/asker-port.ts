import { AskboxError } from "../errors.ts";
import {
  type AckOptions,
  type AskOptions,
  type Collected,
  collected,
  type Given,
  type Handover,
  type RelayedAsker,
  type ResumeOptions,
  type WaitOptions,
} from "../ports/asker.ts";
import type { ClientForms } from "../ports/client-forms.ts";
import type { CancelTimer } from "../ports/clock.ts";
import type { Idempotent } from "../ports/desk.ts";
import type { AskerInfo } from "../session/asker-info.ts";
import type { AskRequest, SessionRecord } from "../session/record.ts";
import { handOver, isUnderWay } from "./asking-again.ts";
import { applyEvent, changeSession, notFound, tookEffect } from "./change.ts";
import { checkAsking } from "./checked-asking.ts";
import { brokerForms } from "./client-forms.ts";
import type { BrokerContext } from "./context.ts";
import { type OpenedSession, openSession } from "./opening.ts";
import { addMessage, markDelivered } from "./thread.ts";
import { concernsAsker } from "./waits.ts";

/** At most this many earlier outcomes come along with one result. */
const maxEarlier = 20;
/** Milliseconds. An answer in hand does not wait longer than this for the outcomes that come along with it. */
const earlierTimeout = 1_000;

interface Waiting extends WaitOptions {
  /** Whether this call has just opened the session or taken it up, and knows whose it is. */
  isOpened?: boolean;
}

/** The broker's `Asker` for one token. */
export class BrokerAsker implements RelayedAsker {
  readonly forms: ClientForms;
  readonly #context: BrokerContext;
  readonly #owner: string;
  readonly #onClose: (self: BrokerAsker) => void;
  readonly #abortions = new Set<() => void>();
  #isClosed = false;
  /** Closed, but its asker comes back to wait through another port. */
  #returns = false;

  constructor(context: BrokerContext, owner: string, onClose: (self: BrokerAsker) => void) {
    this.#context = context;
    this.#owner = owner;
    this.#onClose = onClose;
    this.forms = brokerForms(context, (id) => this.#own(id));
  }

  ask(request: AskRequest, options: AskOptions): Promise<Handover> {
    // In two steps, so that neither the request nor the record is in memory for as long as the wait.
    return this.#begin(request, options).then((goOn) => goOn());
  }

  /** Opens the session, and gives what remains to be done. */
  async #begin(request: AskRequest, { onOpened, ...options }: AskOptions): Promise<() => Promise<Handover>> {
    checkAsking(options);
    const { session, joined, late } = await this.#open(request, options);
    const { id, state } = session;
    if (state === "pending") onOpened?.({ session, joined });
    const { signal, maxWait, earlier } = options;
    const how = { joined, late };
    // A session that is not waited for stays claimed for a moment: its asker is about to come for it.
    if (late || (state === "pending" && maxWait === 0)) return () => this.#handover(session, how, { earlier });
    return this.#waitAndHandOver(id, how, { signal, maxWait, earlier, isOpened: !joined });
  }

  /** Apart from where the record is in scope, which a function that is made there would keep in memory. */
  #waitAndHandOver(id: string, how: { joined: boolean; late: boolean }, options: Waiting): () => Promise<Handover> {
    return async () => this.#handover(await this.#wait(id, options), how, options);
  }

  resume(sessionId: string, options: ResumeOptions = {}): Promise<Handover> {
    const { reply, idempotencyKey, ...wait } = options;
    const replied = reply === undefined ? Promise.resolve() : this.#reply(sessionId, reply, idempotencyKey);
    return replied
      .then(() => (wait.maxWait === 0 ? this.#stand(sessionId) : this.#wait(sessionId, wait)))
      .then((record) => this.#handover(record, { joined: false, late: false }, wait));
  }

  async #reply(sessionId: string, text: string, idempotencyKey: string | undefined): Promise<void> {
    const session = await this.#own(sessionId);
    const by = { surface: "asker" as const, name: session.asker.client.name };
    await addMessage(this.#context, session, { text, by }, idempotencyKey);
  }

  async withdraw(sessionId: string, options: { reason?: string | undefined } & Idempotent = {}): Promise<SessionRecord> {
    const { store, clock, drafts, views } = this.#context;
    await this.#own(sessionId);
    // What a person has sent and may still undo came first.
    await drafts.sent(sessionId);
    return changeSession(store, sessionId, (record) => {
      const { reason, idempotencyKey } = options;
      if (tookEffect(record, idempotencyKey)) return undefined;
      const at = clock.now();
      const by = { surface: "asker" as const, name: record.asker.client.name };
      const withdrawn = applyEvent(record, { type: "CANCEL", reason, by, at }, idempotencyKey);
      if (withdrawn === undefined) throw views.closed(record);
      return { ...withdrawn, delivery: { deliveredAt: at } };
    });
  }

  async collect(asker: AskerInfo): Promise<Collected> {
    checkAsking({ asker });
    const scope = await this.#context.scopeOf(this.#owner, asker);
    return this.#collected([], await this.#undelivered(scope));
  }

  async acknowledge(given: readonly Given[], options: AckOptions = {}): Promise<void> {
    await Promise.all(given.map((one) => this.#delivered(one, options)));
  }

  async release(given: readonly Given[]): Promise<void> {
    for (const { sessionId } of given) this.#context.inFlight.release(sessionId, this);
  }

  /**
   * Ends the waits that run here with `ABORTED` and frees what was handed over and not confirmed; and what was opened and not waited
   * for, unless the asker `returns` to wait through another port.
   */
  close({ returns = false }: { returns?: boolean } = {}): void {
    this.#isClosed = true;
    this.#returns = returns;
    for (const abort of [...this.#abortions]) abort();
    this.#letGo();
    this.#onClose(this);
  }

  #letGo(): void {
    if (!this.#returns) this.#context.presence.unclaimAllOf(this);
    this.#context.inFlight.endAllOf(this);
  }

  async #open(request: AskRequest, options: AskOptions): Promise<OpenedSession> {
    try {
      return await openSession(this.#context, { owner: this.#owner, request, options, holder: this });
    } finally {
      // Whoever asked has gone meanwhile and will not come to wait.
      if (this.#isClosed) this.#letGo();
    }
  }

  async #wait(sessionId: string, { signal, maxWait, isOpened = false }: Waiting): Promise<SessionRecord> {
    const { clock, deadlines, presence, waits, inFlight } = this.#context;
    if (signal?.aborted) {
      // Nobody waits for what was opened.
      presence.unclaim(sessionId, this);
      throw aborted();
    }
    // The record is let go: kept in a variable here, it would be in memory for as long as the wait.
    if (!isOpened) await this.#own(sessionId);
    const detach = presence.attach(sessionId);
    void this.#context.leases.hold(sessionId);
    let how: "ticket" | "away" = "away";
    let cancelTimer: CancelTimer | undefined;
    const { promise, resolve, reject } = Promise.withResolvers<SessionRecord>();
    const abort = () => reject(aborted());
    waits.add(sessionId, resolve);
    const release = clock.stayAlive?.();
    this.#abortions.add(abort);
    signal?.addEventListener("abort", abort, { once: true });
    try {
      if (signal?.aborted || this.#isClosed) abort();
      // The subscription stands by now, so nothing that settles from here on is missed. What this call has opened, and is pending as far as is known, has not settled.
      if (!isOpened || !deadlines.has(sessionId) || waits.isAskedBack(sessionId)) this.#look(sessionId, resolve).catch(reject);
      if (maxWait !== undefined) {
        cancelTimer = clock.setTimer(maxWait, () => void this.#own(sessionId).then(resolve, reject));
      }
      const record = await promise;
      if (concernsAsker(record)) inFlight.begin(sessionId, this, record.thread.length);
      // An asker that was asked back comes again with its reply.
      if (record.state === "pending") how = "ticket";
      return record;
    } finally {
      waits.remove(sessionId, resolve);
      release?.();
      this.#abortions.delete(abort);
      signal?.removeEventListener("abort", abort);
      cancelTimer?.();
      detach(how);
    }
  }

  /** Whether there is something to go on with already. */
  async #look(sessionId: string, settle: (record: SessionRecord) => void): Promise<void> {
    const record = await this.#own(sessionId);
    if (concernsAsker(record)) settle(record);
  }

  /** How the session stands, for an asker that comes back. */
  async #stand(sessionId: string): Promise<SessionRecord> {
    const { presence, inFlight } = this.#context;
    const record = await this.#own(sessionId);
    if (this.#isClosed) throw aborted();
    if (record.state === "pending") presence.expect(sessionId);
    if (concernsAsker(record)) inFlight.begin(sessionId, this, record.thread.length);
    return record;
  }

  /** What goes to the asker: an answer in hand is worth more than what comes along with it, which stays for the next call if it cannot be read. */
  async #handover(session: SessionRecord, how: { joined: boolean; late: boolean }, { earlier = true }: WaitOptions): Promise<Handover> {
    const others = earlier ? await this.#inTime(this.#undelivered(session.scope, session.id)) : [];
    return { session, ...how, ...this.#collected([session], others) };
  }

  /** The records in hand are written as delivered, without reading them again. */
  #collected(sessions: readonly SessionRecord[], earlier: SessionRecord[]): Collected {
    const inHand = new Map([...sessions, ...earlier].map((record) => [record.id, record]));
    const acknowledge = async (given: readonly Given[], options: AckOptions = {}) => {
      await Promise.all(given.map((one) => this.#delivered(one, options, inHand.get(one.sessionId))));
    };
    return collected(sessions, earlier, { acknowledge, release: (given) => this.release(given) });
  }

  async #inTime(reading: Promise<SessionRecord[]>): Promise<SessionRecord[]> {
    const { clock, log } = this.#context;
    const over = Promise.withResolvers<SessionRecord[]>();
    const cancel = clock.setTimer(earlierTimeout, () => over.resolve([]));
    try {
      return await Promise.race([reading, over.promise]);
    } catch (error) {
      log("debug", "Earlier outcomes could not be read; they come with a later result", { error: String(error) });
      return [];
    } finally {
      cancel();
    }
  }

  /** Sessions of this asker with something that it has not been given, oldest first; they are in flight to it from now on. */
  async #undelivered(scope: string, except?: string): Promise<SessionRecord[]> {
    const { store } = this.#context;
    const passOver = (id: string) => id === except || isUnderWay(this.#context, id);
    const page = await store.list({ owner: this.#owner, scope, undelivered: true, order: "oldest", limit: 5 * maxEarlier, passOver });
    const candidates = page.sessions.filter(({ id }) => id !== except);
    const free: SessionRecord[] = [];
    for (let next = 0; next < candidates.length && free.length < maxEarlier; ) {
      const some = candidates.slice(next, next + maxEarlier - free.length);
      next += some.length;
      const handed = await Promise.all(some.map((session) => handOver(this.#context, session, this)));
      free.push(...handed.filter((session) => session !== undefined));
    }
    return free;
  }

  async #delivered({ sessionId, withOutcome, withReply, messages }: Given, { callId }: AckOptions, inHand?: SessionRecord): Promise<void> {
    const { store, clock, inFlight } = this.#context;
    const present = inHand ?? (await this.#own(sessionId));
    const written = (record: SessionRecord) => {
      const { delivery, reply } = record;
      const outcomeIsNew = withOutcome && delivery.deliveredAt === null;
      const replyIsNew = withReply && reply !== undefined && reply.deliveredAt === undefined;
      const deliveredAt = clock.now();
      const read = markDelivered(record, messages, deliveredAt);
      if (!outcomeIsNew && !replyIsNew && read === record) return undefined;
      return {
        ...read,
        ...(outcomeIsNew ? { delivery: { deliveredAt, ...(callId === undefined ? {} : { callId }) } } : {}),
        ...(replyIsNew ? { reply: { ...reply, deliveredAt } } : {}),
      };
    };
    // It stays in flight meanwhile, so that no other call is given it.
    await changeSession(store, present, written, { unhurried: true });
    inFlight.end(sessionId);
  }

  async #own(id: string): Promise<SessionRecord> {
    const record = await this.#context.store.get(id);
    if (record === undefined || record.owner !== this.#owner) throw notFound(id);
    return record;
  }
}

function aborted(): AskboxError {
  return new AskboxError("ABORTED", "The wait was given up; the session goes on.");
}
