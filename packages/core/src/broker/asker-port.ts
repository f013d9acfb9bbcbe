import { AskboxError } from "../errors.ts";
import type { Agents } from "../ports/agents.ts";
import type { Asker, Opened, OpenOptions, WaitOptions } from "../ports/asker.ts";
import type { ClientForms } from "../ports/client-forms.ts";
import type { AskerInfo } from "../session/asker-info.ts";
import { openMachine } from "../session/machine.ts";
import { type AskRequest, recordSchemaVersion, type SessionRecord } from "../session/record.ts";
import { findEarlierAsk, handOver, isUnderWay, joinSession } from "./asking-again.ts";
import { applyEvent, changeSession, notFound } from "./change.ts";
import { brokerForms } from "./client-forms.ts";
import type { BrokerContext } from "./context.ts";
import { digestOf } from "./identity.ts";

/** At most this many earlier outcomes come along with one result. */
const maxEarlier = 20;

/** The broker's `Asker` for one token. */
export class BrokerAsker implements Asker {
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

  async open(request: AskRequest, options: OpenOptions): Promise<Opened> {
    try {
      return await this.#open(request, options);
    } finally {
      // Whoever asked has gone meanwhile and will not come to wait.
      if (this.#isClosed) this.#letGo();
    }
  }

  async #open(request: AskRequest, options: OpenOptions): Promise<Opened> {
    const { retention, scopeOf } = this.#context;
    const { asker, key, registeredOnly = false } = options;
    if (registeredOnly) await mustBeRegistered(this.#context.agents, asker);
    retention.sweepInBackground();
    const [scope, digest] = await Promise.all([scopeOf(this.#owner, asker), digestOf(this.#context.digest, request)]);
    const sought = { owner: this.#owner, scope, digest, key, request, holder: this };
    const found = await findEarlierAsk(this.#context, sought);
    if (found.kind === "late") return { session: found.session, joined: true, late: true };
    if (found.kind === "pending") return this.#join(found.session.id, request);
    for (;;) {
      const record = this.#newRecord(request, options, { scope, digest });
      const opened = await this.#insert(found.earlierAnswer === undefined ? record : { ...record, earlierAnswer: found.earlierAnswer });
      if (opened !== undefined) return opened;
    }
  }

  /** Undefined if an equal ask at another hub was faster to take what was inserted here: that session is then the other's. */
  async #insert(fresh: SessionRecord): Promise<Opened | undefined> {
    const { presence, leases, store } = this.#context;
    presence.claim(fresh.id, this);
    try {
      // At once, and in this order.
      const [isOurs, result] = await Promise.all([leases.claim(fresh.id), store.insert(fresh)]);
      if (result.inserted && isOurs) return { session: fresh, joined: false, late: false };
      presence.forgetAsker(fresh.id);
      return result.inserted ? undefined : await this.#join(result.existing.id, fresh.request);
    } catch (error) {
      presence.forgetAsker(fresh.id);
      throw error;
    }
  }

  async wait(sessionId: string, options: WaitOptions = {}): Promise<SessionRecord> {
    const { signal, ticketAfter } = options;
    const { clock, presence, waits } = this.#context;
    if (signal?.aborted) {
      // Nobody waits for what was opened.
      presence.unclaim(sessionId, this);
      throw aborted();
    }
    if (ticketAfter === 0) return this.#look(sessionId);
    // The record is let go: kept in a variable here, it would be in memory for as long as the wait.
    await this.#own(sessionId);
    const detach = presence.attach(sessionId);
    void this.#context.leases.hold(sessionId);
    let how: "ticket" | "away" = "away";
    const undo: (() => void)[] = [];
    try {
      const settled = await new Promise<SessionRecord>((resolve, reject) => {
        const abort = () => reject(aborted());
        undo.push(waits.add(sessionId, resolve));
        this.#abortions.add(abort);
        undo.push(() => this.#abortions.delete(abort));
        signal?.addEventListener("abort", abort, { once: true });
        undo.push(() => signal?.removeEventListener("abort", abort));
        if (signal?.aborted || this.#isClosed) abort();
        const look = () => this.#own(sessionId).then((record) => (record.state === "pending" ? undefined : resolve(record)));
        // The subscription stands by now, so nothing that settles from here on is missed.
        look().catch(reject);
        if (ticketAfter !== undefined) {
          undo.push(
            clock.setTimer(ticketAfter, () => {
              how = "ticket";
              this.#own(sessionId).then(resolve, reject);
            }),
          );
        }
      });
      if (settled.state !== "pending") this.#context.handovers.begin(settled, this);
      return settled;
    } finally {
      for (const step of undo) step();
      detach(how);
    }
  }

  /** How the session stands, for an asker that comes back. */
  async #look(sessionId: string): Promise<SessionRecord> {
    const { presence, handovers } = this.#context;
    const record = await this.#own(sessionId);
    if (this.#isClosed) throw aborted();
    if (record.state === "pending") presence.expect(sessionId);
    else handovers.begin(record, this);
    return record;
  }

  async withdraw(sessionId: string, options: { reason?: string } = {}): Promise<SessionRecord> {
    const { store, clock, drafts, views } = this.#context;
    await this.#own(sessionId);
    // What a person has sent and may still undo came first.
    await drafts.sent(sessionId);
    return changeSession(store, sessionId, (record) => {
      const at = clock.now();
      const by = { surface: "asker" as const, name: record.asker.client.name };
      const withdrawn = applyEvent(record, { type: "CANCEL", reason: options.reason, by, at });
      if (withdrawn === undefined) throw views.closed(record);
      return { ...withdrawn, delivery: { deliveredAt: at } };
    });
  }

  async delivered(sessionId: string, options: { callId?: string } = {}): Promise<void> {
    const { store, clock, handovers } = this.#context;
    const hadReply = handovers.hasReply(sessionId);
    const present = await this.#own(sessionId);
    await changeSession(store, present, (record) => {
      const { delivery, reply, state } = record;
      const outcomeIsNew = state !== "pending" && delivery.deliveredAt === null;
      // The reply may have come after the outcome was handed over. Where that is not known, giving it twice is better than never.
      const replyIsNew = reply !== undefined && reply.deliveredAt === undefined && (hadReply ?? !outcomeIsNew);
      if (!outcomeIsNew && !replyIsNew) return undefined;
      const deliveredAt = clock.now();
      const { callId } = options;
      return {
        ...record,
        ...(outcomeIsNew ? { delivery: { deliveredAt, ...(callId === undefined ? {} : { callId }) } } : {}),
        ...(replyIsNew ? { reply: { ...reply, deliveredAt } } : {}),
      };
    });
    handovers.end(sessionId);
  }

  async release(sessionId: string): Promise<void> {
    this.#context.handovers.release(sessionId, this);
  }

  async earlier(asker: AskerInfo): Promise<SessionRecord[]> {
    const { store, scopeOf } = this.#context;
    const scope = await scopeOf(this.#owner, asker);
    const passOver = (id: string) => isUnderWay(this.#context, id);
    const page = await store.list({ owner: this.#owner, scope, undelivered: true, order: "oldest", limit: 5 * maxEarlier, passOver });
    const free: SessionRecord[] = [];
    for (let next = 0; next < page.sessions.length && free.length < maxEarlier; ) {
      const some = page.sessions.slice(next, next + maxEarlier - free.length);
      next += some.length;
      const handed = await Promise.all(some.map((session) => handOver(this.#context, session, this)));
      free.push(...handed.filter((session) => session !== undefined));
    }
    return free;
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
    this.#context.handovers.endAllOf(this);
  }

  async #join(id: string, request: AskRequest): Promise<Opened> {
    try {
      return { session: await joinSession(this.#context, id, request.timeout), joined: true, late: false };
    } catch (error) {
      this.#context.presence.unclaim(id);
      throw error;
    }
  }

  async #own(id: string): Promise<SessionRecord> {
    const record = await this.#context.store.get(id);
    if (record === undefined || record.owner !== this.#owner) throw notFound(id);
    return record;
  }

  #newRecord(request: AskRequest, { asker, key }: OpenOptions, identity: { scope: string; digest: string }): SessionRecord {
    const { clock, ids } = this.#context;
    const createdAt = clock.now();
    const { state, context } = openMachine({ questions: request.questions, deadlineAt: createdAt + request.timeout });
    return {
      schema: recordSchemaVersion,
      revision: 1,
      id: ids.session(),
      ...(key === undefined ? {} : { key }),
      owner: this.#owner,
      ...identity,
      asker,
      request,
      state,
      context: { deadlineAt: context.deadlineAt },
      createdAt,
      closedAt: null,
      delivery: { deliveredAt: null },
    };
  }
}

async function mustBeRegistered(agents: Agents, { agentId }: AskerInfo): Promise<void> {
  const known = await agents.list();
  if (known.length === 0 || known.some(({ id }) => id === agentId)) return;
  throw new AskboxError(
    "UNKNOWN_AGENT",
    `No agent is registered as ${JSON.stringify((agentId ?? "").slice(0, 200))}; give the id that you were given.`,
    {
      details: { agentId },
    },
  );
}

function aborted(): AskboxError {
  return new AskboxError("ABORTED", "The wait was given up; the session goes on.");
}
