import {
  type Asker,
  type AskRequest,
  type Broker,
  type Log,
  type Platform,
  parseAsk,
  type SessionRecord,
  type SessionStore,
} from "@askbox/core";
import { actionDigest } from "@askbox/core/grants";
import { denialKey, denialOf, overruledAt, overruleLasts } from "@askbox/core/questions";
import { parseAskJson } from "@askbox/core/schemas";
import type { AboutToRun, ApprovalAsk, ApprovalOver, DeniedCall } from "./approval.ts";
import { askerOf } from "./asking.ts";

/**
 * Calls that a reviewing model has denied, as cards that nobody waits for, and the calls that a person has let through by overruling one.
 *
 * Everything is in the store: a pending session is an open card, an overruled one an allowance, which the broker uses up by compare-and-set.
 * Memory holds only where to look, so that a call that nobody overruled costs next to nothing. What can go wrong:
 * - The hub is killed: the next one reads both from the store.
 * - Two equal calls at once: both find the allowance, and one of them uses it.
 * - The clock is set back: an allowance lasts no longer than its 15 minutes by this process's own time either.
 * - The same is denied again while the card is open: it joins the card. One card too many ends the oldest.
 */

/** Nobody waits, so a card may stay for longer than a question; in ms. */
const lasts = 86_400_000;
/** Open cards of a token. */
const maxOpen = 200;

export interface DenialsOptions {
  store: Pick<SessionStore, "list" | "get" | "subscribe">;
  broker: Pick<Broker, "useOverruled" | "asker">;
  platform: Pick<Platform, "clock" | "ids" | "digest">;
  log: Log;
  /** Called when there is a call to let through, before the answer that allows it is done, and when there is none left. */
  onAllowed?(isAny: boolean): void;
}

/** Asks for one card. */
export type CardPort = Pick<Asker, "ask"> & { close(): void };

/** Who made a call, and where: what grants compare besides the action. */
interface Place {
  owner: string;
  client: string;
  conversation: string | undefined;
  project: string | undefined;
}

interface Known extends Place {
  id: string;
  /** Its action's. */
  digest: Promise<string>;
}

export class Denials {
  readonly #options: DenialsOptions;
  readonly #open = new Map<string, Known>();
  /** `until`: when it ends, by monotonic time in ms. */
  readonly #allowed = new Map<string, Known & { until: number }>();
  /** Cards that are being opened, by place and action. */
  readonly #opening = new Map<string, Promise<string>>();
  /** By card, the run that its client would report if the call ran after all. */
  readonly #runs = new Map<string, string>();
  /** Who wants to know how a card ends. */
  readonly #waits = new Map<string, Set<(isOverruled: boolean) => void>>();
  readonly #unsubscribe: () => void;
  readonly #loaded: Promise<void>;
  #isLoaded = false;
  #cancelTimer = () => {};

  constructor(options: DenialsOptions) {
    this.#options = options;
    const { store } = options;
    this.#unsubscribe = store.subscribe(({ id, revision, record }) => {
      if (record !== undefined) this.#take(record);
      else if (revision === 0) this.#forget(id);
      else void this.#read(() => store.get(id).then((read) => (read === undefined ? this.#forget(id) : this.#take(read))));
    });
    this.#loaded = this.#read(() => this.#load());
  }

  /** How many cards are open. */
  get open(): number {
    return this.#open.size;
  }

  /** Shows people what was denied. Resolves with the card's id, also if it is open already. Throws what `Asker.ask` throws. */
  async denied(asker: CardPort, owner: string, client: string, call: DeniedCall): Promise<string> {
    const request = this.#requestOf(call.question);
    const place = { owner, client, conversation: call.conversation, project: call.cwd };
    const [digest] = await Promise.all([this.#digestOf(request), this.#loaded]);
    const about = JSON.stringify([place, digest]);
    // Synchronously, so that one of two simultaneous hooks finds the other's card.
    const opening = this.#opening.get(about) ?? this.#openCard(asker, call, request, place, digest);
    this.#opening.set(about, opening);
    const id = await opening.finally(() => this.#opening.delete(about));
    this.#runs.set(id, call.reportedAs ?? call.run);
    return id;
  }

  async #openCard(asker: CardPort, call: DeniedCall, request: AskRequest, place: Place, digest: string): Promise<string> {
    for (const known of this.#open.values()) if (isAt(known, place) && (await known.digest) === digest) return known.id;
    const { session } = await asker.ask(
      { ...request, title: call.title, timeout: lasts },
      {
        asker: askerOf(place.client, call, "denial"),
        key: `${denialKey}${call.id ?? this.#options.platform.ids.call()}`,
        maxWait: 0,
        earlier: false,
        idempotencyKey: call.id,
      },
    );
    // Nobody waits for it.
    asker.close();
    const own = [...this.#open.values()].filter(({ owner }) => owner === place.owner);
    for (const { id } of own.slice(0, Math.max(0, own.length - maxOpen)))
      await this.#withdraw(place.owner, id, "There were too many denials.");
    return session.id;
  }

  /** False if `through` certainly finds nothing for any call of this conversation. */
  mayLetThrough(owner: string, client: string, conversation: string): boolean {
    if (!this.#isLoaded) return true;
    const isOf = (known: Known) => known.owner === owner && known.client === client && known.conversation === conversation;
    return [...this.#allowed.values()].some(isOf);
  }

  /** Uses up what a person allowed once, if it is exactly this call. Resolves with the call and the card that allowed it. Never rejects. */
  async through(
    owner: string,
    client: string,
    { conversation, cwd, ask }: Omit<AboutToRun, "kind" | "through">,
  ): Promise<Through | undefined> {
    await this.#loaded;
    const { platform, broker, log } = this.#options;
    const place = { owner, client, conversation, project: cwd };
    const now = platform.clock.monotonic();
    const here = [...this.#allowed.values()].filter((known) => isAt(known, place) && now < known.until);
    const call = here.length === 0 ? undefined : ask();
    if (call === undefined) return undefined;
    try {
      const digest = await this.#digestOf(this.#requestOf(call.question));
      for (const { id, digest: allowed } of here) {
        if ((await allowed) === digest && (await broker.useOverruled(id, report))) return { sessionId: id, call };
      }
    } catch (error) {
      log("warn", "A call that may have been overruled was left to its client", { error: String(error) });
    }
    return undefined;
  }

  /** Waits until a card is settled, without being who is waited for; resolves with whether it was overruled, or undefined if the signal aborts. */
  async decided(id: string, signal: AbortSignal): Promise<boolean | undefined> {
    const { promise, resolve } = Promise.withResolvers<boolean | undefined>();
    const waits = this.#waits.get(id) ?? new Set();
    this.#waits.set(id, waits.add(resolve));
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
    if (signal.aborted) resolve(undefined);
    try {
      // It may have been settled before.
      const record = this.#open.has(id) ? undefined : await this.#options.store.get(id);
      if (record !== undefined && record.state !== "pending") return overruledAt(record) !== undefined;
      return await promise;
    } finally {
      waits.delete(resolve);
      if (waits.size === 0) this.#waits.delete(id);
    }
  }

  /** Ends the cards of a call that has run after all, and those of a conversation that is certainly over. */
  async over(owner: string, client: string, { conversation, run, isRun, isFinal, reason }: ApprovalOver): Promise<void> {
    const ended = [...this.#open.values()].filter(
      (known) =>
        known.owner === owner &&
        known.client === client &&
        known.conversation === conversation &&
        (isFinal === true || (isRun === true && this.#runs.get(known.id) === run)),
    );
    for (const { id } of ended) await this.#withdraw(owner, id, reason);
  }

  close(): void {
    this.#unsubscribe();
    this.#cancelTimer();
  }

  async #load(): Promise<void> {
    const since = this.#options.platform.clock.now() - overruleLasts;
    for (const query of [{ states: ["answered"], closedSince: since }, { states: ["pending"] }] as const) {
      let cursor: string | undefined;
      do {
        const page = await this.#options.store.list({ ...query, limit: 1_000, cursor });
        for (const record of page.sessions) this.#take(record);
        cursor = page.next;
      } while (cursor !== undefined);
    }
    this.#isLoaded = true;
    this.#tellAllowed(this.#allowed.size > 0);
  }

  async #read(reading: () => Promise<void>): Promise<void> {
    try {
      await reading();
    } catch (error) {
      this.#options.log("warn", "Denials could not be read; an overruled one may not be let through", { error: String(error) });
    }
  }

  #take(record: SessionRecord): void {
    const { id, owner, asker, request, state, usedAt } = record;
    if (denialOf(request) === undefined) return;
    const at = overruledAt(record);
    const known = (this.#open.get(id) ??
      this.#allowed.get(id) ?? {
        ...{ id, owner, client: asker.client.name, conversation: asker.conversation, project: asker.project },
        digest: this.#digestOf(request),
      }) satisfies Known;
    if (state === "pending") return void this.#open.set(id, known);
    for (const resolve of this.#waits.get(id) ?? []) resolve(at !== undefined);
    if (at === undefined || usedAt !== undefined) return this.#forget(id);
    this.#open.delete(id);
    if (this.#allowed.has(id)) return;
    const { clock } = this.#options.platform;
    const left = Math.min(overruleLasts, at + overruleLasts - clock.now());
    if (left <= 0) return this.#forget(id);
    this.#allowed.set(id, { ...known, until: clock.monotonic() + left });
    if (this.#allowed.size === 1) this.#tellAllowed(true);
    this.#expire();
  }

  #forget(id: string): void {
    this.#open.delete(id);
    this.#runs.delete(id);
    if (this.#allowed.delete(id) && this.#allowed.size === 0) this.#tellAllowed(false);
  }

  /** Forgets allowances whose time is over, now and when the next one ends. */
  #expire(): void {
    this.#cancelTimer();
    const { clock } = this.#options.platform;
    for (const { id, until } of [...this.#allowed.values()]) if (until <= clock.monotonic()) this.#forget(id);
    const next = Math.min(...[...this.#allowed.values()].map(({ until }) => until));
    if (Number.isFinite(next)) this.#cancelTimer = clock.setTimer(next - clock.monotonic(), () => this.#expire());
  }

  /** Ends a card. If that fails, it is settled already, or ends after a day. */
  async #withdraw(owner: string, id: string, reason: string): Promise<void> {
    const port = this.#options.broker.asker(owner, { shared: true });
    await port.withdraw(id, { reason }).catch(() => {});
    port.close();
  }

  #tellAllowed(isAny: boolean): void {
    this.#options.onAllowed?.(isAny);
  }

  /** The exact arguments go on as text. */
  #requestOf(question: ApprovalAsk["question"]): AskRequest {
    return parseAsk({ questions: [parseAskJson(JSON.stringify(question))] }, { ids: this.#options.platform.ids });
  }

  async #digestOf({ questions: [question] }: AskRequest): Promise<string> {
    return question !== undefined && "action" in question ? actionDigest(this.#options.platform.digest, question.action) : "";
  }
}

/** A call that is let through, and the card that allows it. */
interface Through {
  sessionId: string;
  call: ApprovalAsk;
}

const report = "The agent made the call again, and it was let through.";

const isAt = (known: Place, { owner, client, conversation, project }: Place): boolean =>
  conversation !== undefined &&
  known.owner === owner &&
  known.client === client &&
  known.conversation === conversation &&
  known.project === project;
