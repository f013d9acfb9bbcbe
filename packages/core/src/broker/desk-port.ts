import { AskboxError } from "../errors.ts";
import { defined } from "../objects.ts";
import type {
  Conversation,
  Desk,
  DeskEvent,
  DeskPage,
  DeskQuery,
  Idempotent,
  Outlook,
  Phrases,
  Watch,
  WatchFilter,
} from "../ports/desk.ts";
import type { Tally } from "../ports/store.ts";
import { type AnswerSet, wordsOf } from "../session/answer.ts";
import type { Draft, DraftPatch } from "../session/draft.ts";
import type { SessionEvent } from "../session/machine.ts";
import type { Answerer } from "../session/outcome.ts";
import { traitsOf } from "../session/questions/index.ts";
import { asksApproval, type SessionRecord } from "../session/record.ts";
import type { AskBack } from "../session/thread.ts";
import { type SessionView, stateOf } from "../session/view.ts";
import { pageLimit } from "../stores/pages.ts";
import { quote } from "../texts.ts";
import type { CheckFiles } from "./broker.ts";
import { applyEvent, changeSession, notFound, tookEffect } from "./change.ts";
import type { BrokerContext } from "./context.ts";
import { maxDelay } from "./drafts.ts";
import { validAnswers } from "./valid-answers.ts";
import { snoozed, viewFor } from "./views.ts";

/** The shortest valid id prefix. */
const minPrefixLength = 4;
/** The limits for moving a deadline, in ms. */
const extension = { min: 1_000, max: 86_400_000 };
/** Sessions that are read from the store at a time: each may have 256 KB, and a store holds a whole page in memory. */
const batch = 50;
/** The size as JSON, in bytes, at which a page ends before its limit. */
const maxPageBytes = 4_194_304;
/** Sessions at which a page ends that leaves most of them out. */
const maxRead = 1_000;
const maxDays = 400;

/** The broker's `Desk` for one answerer. */
export class BrokerDesk implements Desk {
  readonly #context: BrokerContext;
  readonly #by: Answerer;
  readonly #onClose: (self: BrokerDesk) => void;
  readonly #open = new Set<() => void>();
  #isClosed = false;

  constructor(context: BrokerContext, by: Answerer, onClose: (self: BrokerDesk) => void) {
    this.#context = context;
    this.#by = by;
    this.#onClose = onClose;
  }

  async list(query: DeskQuery = {}): Promise<DeskPage> {
    const { statuses, machine, ...rest } = query;
    // Stores know no machines. Its name is among the words that they search, so that only few sessions are left out here.
    const text = machine === undefined ? rest.text : `${machine} ${rest.text ?? ""}`;
    const wanted = pageLimit(query.limit);
    const items: SessionView[] = [];
    let cursor = query.cursor;
    let [bytes, read] = [0, 0];
    for (;;) {
      const limit = Math.min(batch, wanted - items.length);
      const page = await this.#context.store.list({
        ...rest,
        text,
        limit,
        cursor,
        states: statuses?.map(stateOf),
      });
      read += page.sessions.length;
      for (const record of page.sessions) {
        if (machine !== undefined && record.asker.machine !== machine) continue;
        const view = this.#view(record);
        items.push(view);
        bytes += JSON.stringify(view).length;
      }
      cursor = page.next;
      if (cursor === undefined) return { items };
      // A short page means that a long search ended early.
      if (items.length >= wanted || bytes >= maxPageBytes || page.sessions.length < limit || read >= maxRead)
        return { items, nextCursor: cursor };
    }
  }

  async tally(days: readonly number[]): Promise<Tally> {
    if (days.length === 0 || days.length > maxDays || !days.every((day, index) => day > (days[index - 1] ?? Number.NEGATIVE_INFINITY))) {
      throw new AskboxError("VALIDATION", `The days must be 1 to ${maxDays} ascending times.`);
    }
    const { store } = this.#context;
    if (store.tally !== undefined) return store.tally(days);
    const { tallyByList } = await import("./loaded-late.ts");
    return tallyByList(store, days);
  }

  async get(id: string): Promise<SessionView> {
    return this.#view(await this.#find(id));
  }

  async watch(filter: WatchFilter, listener: (event: DeskEvent) => void): Promise<Watch> {
    const own = (event: DeskEvent) => {
      const session = event.type === "session" ? viewFor(this.#by, event.session) : undefined;
      listener(
        session === undefined || (event.type === "session" && session === event.session) ? event : { ...event, type: "session", session },
      );
    };
    const stop = await this.#context.watchers.add(filter, own, () => this.#snapshot(filter));
    const close = () => {
      stop();
      this.#open.delete(close);
    };
    this.#keepOpen(close);
    return { close };
  }

  async answer(id: string, set: AnswerSet, options: { delay?: number | undefined } & Idempotent = {}): Promise<SessionView> {
    const { clock, drafts } = this.#context;
    const record = await this.#find(id);
    const { idempotencyKey } = options;
    if (tookEffect(record, idempotencyKey)) return this.#view(record);
    this.#mustBePending(record);
    const delay = options.delay ?? 0;
    if (delay > 0 && (await drafts.hasTaken(record.id, "answer", idempotencyKey))) return this.#view(record);
    const checking = withChecked(this.#context, record, set);
    const checked = checking === undefined ? set : await checking;
    if (asksApproval(record.request)) (await import("./loaded-late.ts")).refuseGrant(record, checked.answers);
    mustBeDelay(delay, "An answer");
    if (delay === 0) return this.#apply(record, { ...checked, type: "ANSWER", by: this.#by, at: clock.now() }, idempotencyKey);
    const sendAt = clock.now() + delay;
    const answer = { answers: validAnswers(record, checked), ...wordsOf(checked), by: this.#by, sendAt };
    return this.#view(await drafts.schedule(record.id, answer, idempotencyKey));
  }

  async recall(id: string, { idempotencyKey }: Idempotent = {}): Promise<SessionView> {
    const { drafts } = this.#context;
    const record = await this.#find(id);
    this.#mustBePending(record);
    if (await drafts.hasTaken(record.id, "recall", idempotencyKey)) return this.#view(record);
    await drafts.recall(record.id, this.#by, idempotencyKey);
    return this.#view(record);
  }

  async cancel(
    id: string,
    { reason, delay = 0, idempotencyKey }: { reason?: string | undefined; delay?: number | undefined } & Idempotent = {},
  ): Promise<SessionView> {
    const { clock, drafts } = this.#context;
    const record = await this.#find(id);
    if (delay === 0) return this.#apply(record, { type: "CANCEL", reason, by: this.#by, at: clock.now() }, idempotencyKey);
    if (tookEffect(record, idempotencyKey)) return this.#view(record);
    this.#mustBePending(record);
    if (await drafts.hasTaken(record.id, "cancel", idempotencyKey)) return this.#view(record);
    mustBeDelay(delay, "A decline");
    const decline = { answers: [], decline: defined({ reason }), by: this.#by, sendAt: clock.now() + delay };
    return this.#view(await drafts.schedule(record.id, decline, idempotencyKey));
  }

  async extend(id: string, { timeout, idempotencyKey }: { timeout: number | null } & Idempotent): Promise<SessionView> {
    const { deadlines } = this.#context;
    if (timeout !== null && !(timeout >= extension.min && timeout <= extension.max)) {
      throw new AskboxError("VALIDATION", `timeout must be from ${extension.min} to ${extension.max} ms, or null for no deadline`);
    }
    const record = await this.#find(id);
    const notLater = timeout !== null && !deadlines.isWithin(record.id, timeout);
    const changed = await changeSession(this.#context, record.id, (present) => {
      if (tookEffect(present, idempotencyKey)) return undefined;
      this.#mustBePending(present);
      const stored = present.context.deadlineAt;
      if (notLater || stored === null) throw new AskboxError("VALIDATION", "The deadline can only be moved to a later time.");
      const deadlineAt = timeout === null ? null : deadlines.moved(stored, timeout);
      return applyEvent(present, { type: "EXTEND", deadlineAt, by: this.#by }, idempotencyKey);
    });
    if (timeout !== null) deadlines.defer(record.id, timeout);
    return this.#view(changed);
  }

  async snooze(id: string, { until, idempotencyKey }: { until: number | null } & Idempotent): Promise<SessionView> {
    const record = await this.#find(id);
    const changed = await changeSession(this.#context, record, (present) => {
      if (tookEffect(present, idempotencyKey)) return undefined;
      this.#mustBePending(present);
      const next = snoozed(present, this.#by, until, this.#context.clock.now());
      return idempotencyKey === undefined ? next : { ...next, requests: { ...next.requests, snooze: idempotencyKey } };
    });
    return this.#view(changed);
  }

  async getDraft(id: string): Promise<Draft | undefined> {
    return this.#context.drafts.get((await this.#find(id)).id);
  }

  async saveDraft(id: string, patch: DraftPatch): Promise<Draft> {
    const record = await this.#find(id);
    this.#mustBePending(record);
    const known = new Set(record.request.questions.map((question) => question.id));
    const stranger = Object.keys(patch.fields ?? {}).find((questionId) => !known.has(questionId));
    if (stranger !== undefined) throw new AskboxError("VALIDATION", `No question of this session has the id ${quote(stranger)}.`);
    return this.#context.drafts.save(record.id, patch, this.#by);
  }

  async reply(id: string, set: AnswerSet, { idempotencyKey }: Idempotent = {}): Promise<SessionView> {
    const { clock, views } = this.#context;
    const present = await this.#find(id);
    const checked = (await withChecked(this.#context, present, set)) ?? set;
    const changed = await changeSession(this.#context, present.id, (record) => {
      if (tookEffect(record, idempotencyKey)) return undefined;
      if (record.state === "pending") throw new AskboxError("SESSION_PENDING", "This session is still open; answer it instead.");
      if (record.state !== "timedOut" || record.reply !== undefined) throw views.closed(record);
      if (record.request.questions.some((question) => traitsOf(question).picks === "decision")) throw views.closed(record);
      const answers = validAnswers(record, checked);
      const requests = idempotencyKey === undefined ? record.requests : { ...record.requests, reply: idempotencyKey };
      return { ...record, reply: { answers, ...wordsOf(checked), by: this.#by, at: clock.now() }, requests };
    });
    return this.#view(changed);
  }

  async askBack(id: string, { questionId, text, files }: AskBack, { idempotencyKey }: Idempotent = {}): Promise<SessionView> {
    const record = await this.#find(id);
    const message = { questionId, text, files, by: this.#by };
    const { addMessage } = await import("./loaded-late.ts");
    return this.#view(await addMessage(this.#context, record, message, idempotencyKey));
  }

  async conversations(): Promise<Conversation[]> {
    const { listConversations } = await import("./loaded-late.ts");
    return listConversations(this.#context);
  }

  async phrases(project?: string): Promise<Phrases> {
    const { usualPhrases } = await import("./loaded-late.ts");
    return usualPhrases(this.#context, project);
  }

  async message(id: string, text: string, { idempotencyKey }: Idempotent = {}): Promise<SessionView> {
    const { sendMessage } = await import("./loaded-late.ts");
    return this.#view(await sendMessage(this.#context, id, { text, by: this.#by }, idempotencyKey));
  }

  async outlook(id: string): Promise<Outlook> {
    const { outlookOf } = await import("./loaded-late.ts");
    return outlookOf(this.#context, await this.#find(id));
  }

  async wake(id: string): Promise<SessionView> {
    const record = await this.#find(id);
    const { waker, store } = this.#context;
    if (waker === undefined) throw new AskboxError("VALIDATION", "Nothing here can wake an agent.");
    await waker.wake(record);
    return this.#view((await store.get(record.id)) ?? record);
  }

  async attend(id: string): Promise<() => void> {
    const { clock, presence } = this.#context;
    const { id: sessionId } = await this.#find(id);
    const leave = presence.attend(sessionId, this.#by);
    const release = () => {
      leave();
      this.#open.delete(release);
    };
    this.#keepOpen(release);
    try {
      await changeSession(this.#context, sessionId, (record) =>
        record.state === "pending" && record.seenAt === undefined ? { ...record, seenAt: clock.now() } : undefined,
      );
    } catch (error) {
      release();
      throw error;
    }
    return release;
  }

  /** Ends its watches and closes the sessions it has open. */
  close(): void {
    this.#isClosed = true;
    for (const end of [...this.#open]) end();
    this.#onClose(this);
  }

  /** Until it is ended, or this desk is closed, which may have happened in the meantime. */
  #keepOpen(end: () => void): void {
    this.#open.add(end);
    if (this.#isClosed) end();
  }

  async #apply(present: SessionRecord, event: SessionEvent, idempotencyKey: string | undefined): Promise<SessionView> {
    const { drafts } = this.#context;
    const settled = await changeSession(this.#context, present, async (record) => {
      if (tookEffect(record, idempotencyKey)) return undefined;
      this.#mustBePending(record);
      await drafts.mustBeFree(record.id);
      return applyEvent(record, event, idempotencyKey);
    });
    if (asksApproval(settled.request)) await (await import("./loaded-late.ts")).keepGrants(this.#context, settled);
    return this.#view(settled);
  }

  #view(record: SessionRecord): SessionView {
    return viewFor(this.#by, this.#context.views.of(record));
  }

  #mustBePending(record: SessionRecord): void {
    if (record.state !== "pending") throw this.#context.views.closed(record);
  }

  async #find(prefix: string): Promise<SessionRecord> {
    const { store } = this.#context;
    const id = prefix.toLowerCase();
    const exact = await store.get(id);
    if (exact !== undefined) return exact;
    if (id.length < minPrefixLength)
      throw new AskboxError(
        "SESSION_NOT_FOUND",
        `Give at least the first ${minPrefixLength} characters of the id; ${prefix} is too short.`,
      );
    const { sessions } = await store.list({ idPrefix: id, limit: 2 });
    const [only, another] = sessions;
    if (only === undefined) throw notFound(id);
    if (another !== undefined) throw new AskboxError("AMBIGUOUS_ID", `Several sessions begin with ${id}; use more characters of the id.`);
    return only;
  }

  async #snapshot({ project, agentId, machine, sessionId }: WatchFilter): Promise<{ sessions: SessionView[]; drafts: Draft[] }> {
    const { store } = this.#context;
    const filter = { project, agentId, machine, idPrefix: sessionId };
    const sessions: SessionView[] = [];
    let cursor: string | undefined;
    do {
      const page = await store.list({
        ...filter,
        states: ["pending"],
        order: "oldest",
        limit: batch,
        cursor,
      });
      const wanted = page.sessions.filter(({ id }) => sessionId === undefined || id === sessionId);
      sessions.push(...wanted.map((record) => this.#view(record)));
      cursor = page.next;
    } while (cursor !== undefined);
    if (sessionId === undefined) return { sessions, drafts: await store.listDrafts() };
    const draft = await store.getDraft(sessionId);
    return { sessions, drafts: draft === undefined ? [] : [draft] };
  }
}

/** Throws `VALIDATION`. */
function mustBeDelay(delay: number, what: "An answer" | "A decline"): void {
  if (delay >= 0 && delay <= maxDelay) return;
  throw new AskboxError("VALIDATION", `${what} can be delayed by 0 to ${maxDelay} ms.`);
}

/** The answers with their files and comments checked; undefined if there are none. Rejects with `INVALID_ANSWER`. */
function withChecked(context: { files: CheckFiles | undefined }, record: SessionRecord, set: AnswerSet): Promise<AnswerSet> | undefined {
  if (![set, ...set.answers].some((one) => one.files?.length || ("comments" in one && one.comments?.length))) return undefined;
  return import("./loaded-late.ts").then(({ withAttached }) => withAttached(context, record, set));
}
