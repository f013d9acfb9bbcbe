import * as z from "zod";
import { AskboxError } from "../errors.ts";
import {
  type AckOptions,
  type AskOptions,
  type Claimed,
  type ClientForms,
  type Collected,
  collected,
  type Given,
  type Handover,
  type News,
  type RelayedAsker,
  type ResumeOptions,
} from "../ports/asker.ts";
import type { Idempotent } from "../ports/desk.ts";
import type { CancelTimer } from "../ports/platform.ts";
import { type AskerInfo, askerInfoSchema } from "../session/asker-info.ts";
import { issueClause, issuePath } from "../session/issue-text.ts";
import { limits } from "../session/limits.ts";
import type { AskRequest, SessionRecord } from "../session/record.ts";
import { handOverUndelivered, withDelivered } from "./asking-again.ts";
import { applyEvent, changeSession, notFound, tookEffect } from "./change.ts";
import type { BrokerContext } from "./context.ts";
import { isSameAgent } from "./identity.ts";
import { type OpenedSession, openSession } from "./opening.ts";
import { concernsAsker } from "./waits.ts";

/** Milliseconds. An answer is not delayed by more than this to include other outcomes. */
const earlierTimeout = 1_000;

interface PendingWait extends ResumeOptions {
  /** Whether this call has just opened or joined the session, so that its ownership is already known. */
  isOpened?: boolean;
}

/** The broker's `Asker` for one token. */
export class BrokerAsker implements RelayedAsker {
  readonly forms: ClientForms;
  readonly #context: BrokerContext;
  readonly #owner: string;
  readonly #shared: boolean;
  readonly #onClose: (self: BrokerAsker) => void;
  readonly #abortions = new Set<() => void>();
  #isClosed = false;
  /** Closed, but its asker will wait through another port. */
  #returns = false;

  constructor(context: BrokerContext, { owner, shared }: { owner: string; shared: boolean }, onClose: (self: BrokerAsker) => void) {
    this.#context = context;
    this.#owner = owner;
    this.#shared = shared;
    this.#onClose = onClose;
    this.forms = brokerForms(context, (id, asker) => this.#own(id, asker));
  }

  ask(request: AskRequest, options: AskOptions): Promise<Handover> {
    // In two steps, so that neither the request nor the record stays in memory during the wait.
    return this.#begin(request, options).then((waitForIt) => waitForIt());
  }

  /** Opens the session, and returns the remaining step. */
  async #begin(request: AskRequest, { onOpened, ...options }: AskOptions): Promise<() => Promise<Handover>> {
    checkAsking(options);
    this.#speakFor(options.asker);
    const { session, joined, late } = await this.#open(request, options);
    const { id, state } = session;
    if (state === "pending") onOpened?.({ session, joined });
    const { signal, maxWait, earlier, asker } = options;
    const how = { joined, late };
    // A session without a wait stays claimed for a moment, since its asker will resume it.
    if (late || (state === "pending" && maxWait === 0)) return () => this.#handover(session, how, { earlier, asker });
    return this.#waitAndHandOver(id, how, { signal, maxWait, earlier, asker, isOpened: !joined });
  }

  /** Outside the scope of the record, which a closure created there would keep in memory. */
  #waitAndHandOver(id: string, how: { joined: boolean; late: boolean }, options: PendingWait): () => Promise<Handover> {
    return async () => this.#handover(await this.#wait(id, options), how, options);
  }

  resume(sessionId: string, options: ResumeOptions = {}): Promise<Handover> {
    const { reply, idempotencyKey, ...wait } = options;
    const replied = reply === undefined ? Promise.resolve() : this.#reply(sessionId, reply, options);
    return replied
      .then(() => (wait.maxWait === 0 ? this.#current(sessionId, wait) : this.#wait(sessionId, wait)))
      .then((record) => this.#handover(record, { joined: false, late: false }, wait));
  }

  async #reply(sessionId: string, text: string, { asker, idempotencyKey }: ResumeOptions): Promise<void> {
    const session = await this.#own(sessionId, asker);
    const by = { surface: "asker" as const, name: session.asker.client.name };
    const { addMessage } = await import("./loaded-late.ts");
    await addMessage(this.#context, session, { text, by }, idempotencyKey);
  }

  async withdraw(sessionId: string, options: { reason?: string | undefined } & Claimed & Idempotent = {}): Promise<SessionRecord> {
    const { clock, drafts, views } = this.#context;
    const present = await this.#own(sessionId, options.asker);
    return changeSession(this.#context, present, async (record) => {
      const { reason, idempotencyKey } = options;
      if (tookEffect(record, idempotencyKey)) return undefined;
      // An answer that can still be undone was first.
      await drafts.sendFirst(sessionId);
      const at = clock.now();
      const by = { surface: "asker" as const, name: record.asker.client.name };
      const withdrawn = applyEvent(record, { type: "CANCEL", reason, by, at }, idempotencyKey);
      if (withdrawn === undefined) throw views.closedForAsker(record);
      return { ...withdrawn, delivery: { deliveredAt: at } };
    });
  }

  /** The number of running waits. */
  get waiting(): number {
    return this.#abortions.size;
  }

  async collect(asker: AskerInfo): Promise<Collected> {
    checkAsking({ asker });
    this.#speakFor(asker);
    return collected([], await this.#undelivered(asker), this);
  }

  async news(asker: AskerInfo, since: number): Promise<{ news: News[]; isWhole: boolean }> {
    checkAsking({ asker });
    const { newsOf } = await import("./loaded-late.ts");
    const query = { owner: this.#owner, scope: await this.#context.scopeOf(this.#owner, asker) };
    return newsOf(this.#context, query, { since, isFor: (record) => this.#isFor(record, asker) });
  }

  async acknowledge(outcomes: readonly Given[], options: AckOptions = {}): Promise<void> {
    await Promise.all(outcomes.map((one) => this.#delivered(one, options)));
  }

  async release(outcomes: readonly Given[]): Promise<void> {
    for (const { sessionId } of outcomes) this.#context.inFlight.release(sessionId, this);
  }

  /**
   * Ends the waits of this port with `ABORTED` and releases what was handed over but not acknowledged, and what was opened but not waited
   * for, unless the asker `returns` to wait through another port.
   */
  close({ returns = false }: { returns?: boolean } = {}): void {
    this.#isClosed = true;
    this.#returns = returns;
    for (const abort of [...this.#abortions]) abort();
    this.#releaseAll();
    this.#context.conversations.leave(this);
    this.#onClose(this);
  }

  #releaseAll(): void {
    if (!this.#returns) this.#context.presence.unclaimAllOf(this);
    this.#context.inFlight.endAllOf(this);
  }

  async #open(request: AskRequest, options: AskOptions): Promise<OpenedSession> {
    try {
      return await openSession(this.#context, {
        owner: this.#owner,
        request,
        options,
        holder: this,
        own: (id) => this.#own(id, options.asker),
      });
    } finally {
      // The caller has gone in the meantime and will not wait.
      if (this.#isClosed) this.#releaseAll();
    }
  }

  async #wait(sessionId: string, { signal, maxWait, asker, isOpened = false }: PendingWait): Promise<SessionRecord> {
    const { clock, deadlines, presence, waits, inFlight } = this.#context;
    if (signal?.aborted) {
      // Nothing waits for what was opened.
      presence.unclaim(sessionId, this);
      throw aborted();
    }
    // Does not keep the record in a variable, which would hold it in memory during the wait.
    if (!isOpened) await this.#own(sessionId, asker);
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
      // The subscription is active, so nothing that settles from here on is missed. A session that this call opened, and that is pending as
      // far as is known, has not settled.
      if (!isOpened || !deadlines.has(sessionId) || waits.isAskedBack(sessionId)) this.#settleIfReady(sessionId, resolve).catch(reject);
      if (maxWait !== undefined) {
        cancelTimer = clock.setTimer(maxWait, () => void this.#own(sessionId).then(resolve, reject));
      }
      const record = await promise;
      if (concernsAsker(record)) inFlight.begin(sessionId, this, record);
      // After being asked back, an asker returns with its reply.
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

  /** Whether there is something to return already. */
  async #settleIfReady(sessionId: string, settle: (record: SessionRecord) => void): Promise<void> {
    const record = await this.#own(sessionId);
    if (concernsAsker(record)) settle(record);
  }

  /** The current state of the session, for an asker that resumes. */
  async #current(sessionId: string, { asker }: Claimed): Promise<SessionRecord> {
    const { clock, presence, inFlight, waits } = this.#context;
    const record = await this.#own(sessionId, asker);
    if (this.#isClosed) throw aborted();
    waits.looked(sessionId, clock.monotonic());
    if (record.state === "pending") presence.expect(sessionId);
    if (concernsAsker(record)) inFlight.begin(sessionId, this, record);
    return record;
  }

  /**
   * What the asker gets: an answer is more important than the outcomes delivered with it; if those cannot be read, they stay for the next
   * call.
   */
  async #handover(
    session: SessionRecord,
    how: { joined: boolean; late: boolean },
    { earlier = true, asker }: ResumeOptions,
  ): Promise<Handover> {
    const others = earlier ? await this.#inTime(this.#undelivered(asker ?? session.asker, session)) : [];
    return { session, ...how, ...collected([session], others, this) };
  }

  /** Other outcomes for an asker that gets this session; it may identify itself less completely than when it asked. */
  async #undelivered(asker: AskerInfo, session?: SessionRecord): Promise<SessionRecord[]> {
    const isItsAgent = session !== undefined && isSameAgent(session.asker, asker);
    const scope = isItsAgent ? session.scope : await this.#context.scopeOf(this.#owner, asker);
    return handOverUndelivered(this.#context, {
      owner: this.#owner,
      scope,
      asker,
      holder: this,
      ...(session && { except: session.id }),
    });
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

  async #delivered(outcome: Given, { callId, asker }: AckOptions): Promise<void> {
    const { sessionId } = outcome;
    const { clock, inFlight } = this.#context;
    const present = inFlight.recordOf(sessionId, this) ?? (await this.#own(sessionId, asker));
    const written = (record: SessionRecord) => withDelivered(record, outcome, { callId, at: clock.now() });
    // It stays in flight in the meantime, so that no other call gets it.
    await changeSession(this.#context, present, written, { unhurried: true });
    inFlight.end(sessionId);
  }

  async #own(id: string, asker?: AskerInfo): Promise<SessionRecord> {
    if (asker !== undefined) {
      checkAsking({ asker });
      this.#speakFor(asker);
    }
    const record = await this.#context.store.get(id);
    if (record === undefined || !this.#isFor(record, asker)) throw notFound(id);
    return record;
  }

  #speakFor(asker: AskerInfo): void {
    if (!this.#isClosed) this.#context.conversations.speak(this, this.#owner, asker);
  }

  /** Whether this asker may access the session. */
  #isFor(record: SessionRecord, asker: AskerInfo | undefined): boolean {
    if (record.owner !== this.#owner) return false;
    if (this.#shared || asker === undefined) return true;
    return isSameAgent(record.asker, asker) && !this.#context.conversations.isForbidden(this, record, asker);
  }
}

function aborted(): AskboxError {
  return new AskboxError("ABORTED", "The wait was cancelled; the session stays open.");
}

const name = z.string().min(1).max(limits.key.max).optional();
const askingSchema = z.object({ asker: askerInfoSchema, key: name, idempotencyKey: name });

/** Throws `VALIDATION` with one sentence if a name of an ask or its asker is longer than `limits` allows. */
function checkAsking(asking: Pick<AskOptions, "asker" | "key" | "idempotencyKey">): void {
  const read = askingSchema.safeParse(asking, { reportInput: true });
  if (read.success) return;
  const issue = read.error.issues[0] as z.core.$ZodIssue;
  throw new AskboxError("VALIDATION", `${issuePath(issue)} ${issueClause(issue)}.`);
}

/** The broker's `ClientForms` for one asker; `own` finds one of its sessions. */
function brokerForms(context: BrokerContext, own: (sessionId: string, asker?: AskerInfo) => Promise<SessionRecord>): ClientForms {
  return {
    allowed: async () => context.clientForms,
    answered: async (...answer) => (await import("./loaded-late.ts")).answerByForm(context, own, ...answer),
  };
}
