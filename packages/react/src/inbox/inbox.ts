import {
  type AskboxError,
  type CancelTimer,
  type Clock,
  type Desk,
  type DeskEvent,
  type Draft,
  isAskboxError,
  replyCount,
  type SessionView,
  toAskboxError,
  type Watch,
  type WatchFilter,
} from "@askbox/core";
import { createStore, type Store } from "../store.ts";

/** How the surface stands with the hub; `local` desks are always `open`. */
export type ConnectionState = "connecting" | "open" | "lost" | "closed";

/** The sessions of an inbox, and its connection. */
export interface InboxState {
  connection: ConnectionState;
  /** Why the hub will not have this surface; nothing more will come. */
  refusal: AskboxError | undefined;
  /** Whether the first snapshot has come. */
  ready: boolean;
  /** Pending sessions by id. */
  pending: ReadonlyMap<string, SessionView>;
  /** Sessions that settled while the inbox looked on, the latest last; at most `keepSettled`. */
  settled: ReadonlyMap<string, SessionView>;
  /** Drafts of pending sessions by session id. */
  drafts: ReadonlyMap<string, Draft>;
}

/** Options of `createInbox`. */
export interface InboxOptions {
  clock: Clock;
  filter?: WatchFilter | undefined;
  /** How many settled sessions are remembered. Default 50. */
  keepSettled?: number | undefined;
}

export interface Inbox extends Store<InboxState> {
  /** Begins to watch, and goes on trying until it may. */
  start(): void;
  /** Told by whoever owns the connection. */
  setConnection(state: ConnectionState, error?: AskboxError): void;
  /** The session, pending or lately settled. */
  find(id: string): SessionView | undefined;
  /** Takes in a session that was read elsewhere: a reply to an operation, or a link to a settled session. */
  accept(session: SessionView): void;
  /** Told each session that was not there before; not those of the first snapshot. Returns how to stop. */
  onArrival(listener: (session: SessionView) => void): () => void;
  close(): void;
}

/** Milliseconds after which a watch that could not be begun is tried again. */
const retryAfter = 2_000;
const final = ["UNAUTHORIZED", "FORBIDDEN", "PROTOCOL_MISMATCH"] as const;

/** What a desk has to show, kept up to date by its watch. */
export function createInbox(desk: Desk, { clock, filter = {}, keepSettled = 50 }: InboxOptions): Inbox {
  const store = createStore<InboxState>({
    connection: "connecting",
    refusal: undefined,
    ready: false,
    pending: new Map(),
    settled: new Map(),
    drafts: new Map(),
  });
  const arrivals = new Set<(session: SessionView) => void>();
  let watch: Watch | undefined;
  let cancelRetry: CancelTimer | undefined;
  let closed = false;

  const update = (change: Partial<InboxState>) => store.setState({ ...store.getState(), ...change });
  const announce = (sessions: readonly SessionView[]) => {
    for (const session of sessions) for (const listener of [...arrivals]) listener(session);
  };

  const settle = (state: InboxState, session: SessionView): Pick<InboxState, "pending" | "settled" | "drafts"> => {
    const settled = without(state.settled, session.id);
    settled.set(session.id, session);
    for (const oldest of settled.keys()) {
      if (settled.size <= keepSettled) break;
      settled.delete(oldest);
    }
    return { pending: without(state.pending, session.id), settled, drafts: without(state.drafts, session.id) };
  };

  const take = (session: SessionView) => {
    const state = store.getState();
    if (session.status !== "pending") return update(settle(state, session));
    const known = state.pending.get(session.id);
    if (state.settled.has(session.id) || (known !== undefined && known.revision > session.revision)) return;
    update({ pending: new Map(state.pending).set(session.id, session) });
    if (isNews(known, session)) announce([session]);
  };

  const takeSnapshot = (sessions: readonly SessionView[], drafts: readonly Draft[]) => {
    const state = store.getState();
    const pending = new Map(sessions.map((session) => [session.id, session]));
    update({ ready: true, pending, drafts: new Map(drafts.map((draft) => [draft.sessionId, draft])) });
    if (!state.ready) return;
    announce(sessions.filter((session) => isNews(state.pending.get(session.id), session)));
    // What went while nobody told us: how it ended must be asked for.
    for (const id of state.pending.keys()) if (!pending.has(id)) void lookUp(id);
  };

  const lookUp = async (id: string) => {
    try {
      take(await desk.get(id));
    } catch {
      // Removed, or unreachable again: there is nothing to report.
    }
  };

  const receive = (event: DeskEvent) => {
    if (closed) return;
    const state = store.getState();
    switch (event.type) {
      case "snapshot":
        return takeSnapshot(event.sessions, event.drafts);
      case "session":
        return take(event.session);
      case "removed":
        return update({
          pending: without(state.pending, event.sessionId),
          settled: without(state.settled, event.sessionId),
          drafts: without(state.drafts, event.sessionId),
        });
      case "draft":
        if (!state.pending.has(event.draft.sessionId)) return;
        return update({ drafts: new Map(state.drafts).set(event.draft.sessionId, event.draft) });
      case "draft_erased":
        return update({ drafts: without(state.drafts, event.sessionId) });
    }
  };

  const begin = async () => {
    try {
      const begun = await desk.watch(filter, receive);
      if (closed) begun.close();
      else watch = begun;
    } catch (thrown) {
      const error = toAskboxError(thrown);
      if (closed) return;
      if (final.some((code) => isAskboxError(error, code))) update({ connection: "closed", refusal: error });
      else cancelRetry = clock.setTimer(retryAfter, () => void begin());
    }
  };

  return {
    getState: store.getState,
    subscribe: store.subscribe,
    start: () => void begin(),
    setConnection: (connection, error) => update({ connection, refusal: error ?? store.getState().refusal }),
    find: (id) => store.getState().pending.get(id) ?? store.getState().settled.get(id),
    accept: take,
    onArrival(listener) {
      arrivals.add(listener);
      return () => void arrivals.delete(listener);
    },
    close() {
      closed = true;
      cancelRetry?.();
      watch?.close();
    },
  };
}

/** A question that is new, or to which the agent has replied something. */
const isNews = (known: SessionView | undefined, session: SessionView): boolean =>
  known === undefined || replyCount(session) > replyCount(known);

function without<Value>(map: ReadonlyMap<string, Value>, key: string): Map<string, Value> {
  const copy = new Map(map);
  copy.delete(key);
  return copy;
}
