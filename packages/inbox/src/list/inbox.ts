import type { AskboxError, CancelTimer, Clock, Desk, DeskEvent, Draft, SessionView, Watch, WatchFilter } from "@askbox/core";
import { replyCount } from "@askbox/core/questions";
import { isAskboxError, toAskboxError } from "@askbox/core/transport";
import { createStore, type Store } from "../store.ts";

/** The connection to the hub; `local` desks are always `open`. */
export type ConnectionState = "connecting" | "open" | "lost" | "closed";

/** The sessions of an inbox, and its connection. */
export interface InboxState {
  connection: ConnectionState;
  /** Why the hub rejected this surface; no more updates will come. */
  refusal: AskboxError | undefined;
  /** Whether the first snapshot has arrived. */
  ready: boolean;
  /** Pending sessions by id. */
  pending: ReadonlyMap<string, SessionView>;
  /** Sessions that settled while the inbox was running, the latest last; at most `keepSettled`. */
  settled: ReadonlyMap<string, SessionView>;
  /** Drafts of pending sessions by session id. */
  drafts: ReadonlyMap<string, Draft>;
}

/** The sessions of a desk, kept up to date once started. */
export interface Inbox extends Store<InboxState> {
  /** Watches the desk, and retries until it succeeds. Returns a function that stops it; a stopped inbox can be started again. */
  start(): () => void;
  /** The session, if it is pending or settled recently. */
  find(id: string): SessionView | undefined;
  /** Adds a session that was read elsewhere: the result of an operation, or a settled session from a link. */
  accept(session: SessionView): void;
  /** Called for each new session, except those of the first snapshot; the first listener also for those before it. Returns a function that stops it. */
  onArrival(listener: (session: SessionView) => void): () => void;
}

export interface InboxOptions {
  desk: Desk;
  clock: Clock;
  /** The connection state of a remote desk, such as a `WireClient`. Without it, the desk counts as connected. */
  connection?:
    | {
        state(): ConnectionState;
        /** Returns a function that stops listening. */
        onState(listener: (state: ConnectionState, error?: AskboxError) => void): () => void;
      }
    | undefined;
  /** Only these sessions. Default: all. */
  filter?: WatchFilter | undefined;
  /** How many settled sessions are kept. Default 50. */
  keepSettled?: number | undefined;
  /**
   * Reads so many of the oldest pending sessions first, 1–1,000: they are there before the snapshot, which takes seconds if there are tens of
   * thousands. Default: none.
   */
  firstPage?: number | undefined;
}

/** Milliseconds until a failed watch is retried. */
const retryAfter = 2_000;
const final = ["UNAUTHORIZED", "FORBIDDEN", "PROTOCOL_MISMATCH"] as const;

/** Creates the inbox of a desk. */
export function createInbox({ desk, clock, connection, filter = {}, keepSettled = 50, firstPage }: InboxOptions): Inbox {
  const store = createStore<InboxState>({
    connection: connection?.state() ?? "open",
    refusal: undefined,
    ready: false,
    pending: new Map(),
    settled: new Map(),
    drafts: new Map(),
  });
  const arrivals = new Set<(session: SessionView) => void>();
  // What arrived before the first listener.
  let unheard: string[] | undefined = [];

  const update = (change: Partial<InboxState>) => store.setState({ ...store.getState(), ...change });
  const announce = (sessions: readonly SessionView[]) => {
    unheard = unheard?.concat(sessions.map(({ id }) => id)).slice(-keepSettled);
    for (const session of sessions) for (const listener of [...arrivals]) listener(session);
  };

  const settle = (state: InboxState, session: SessionView): Pick<InboxState, "pending" | "settled" | "drafts"> => {
    const settled = without(state.settled, session.id).set(session.id, session);
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
    // These settled while disconnected, so their outcome must be requested.
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
    const state = store.getState();
    switch (event.type) {
      case "snapshot":
        return takeSnapshot(event.sessions, event.drafts);
      case "session":
        return take(event.session);
      case "presence": {
        const known = state.pending.get(event.sessionId);
        if (known !== undefined) update({ pending: new Map(state.pending).set(known.id, { ...known, presence: event.presence }) });
        return;
      }
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

  const setConnection = (state: ConnectionState, error?: AskboxError) =>
    update({ connection: state, refusal: error ?? store.getState().refusal });

  const start = () => {
    let watch: Watch | undefined;
    let cancelRetry: CancelTimer | undefined;
    let stopped = false;
    const begin = async () => {
      try {
        const begun = await desk.watch({ ...filter, presence: true }, (event) => {
          if (!stopped) receive(event);
        });
        if (stopped) begun.close();
        else watch = begun;
      } catch (thrown) {
        const error = toAskboxError(thrown);
        if (stopped) return;
        if (final.some((code) => isAskboxError(error, code))) setConnection("closed", error);
        else cancelRetry = clock.setTimer(retryAfter, () => void begin());
      }
    };
    const showFirst = async () => {
      const { items } = await desk.list({ ...filter, statuses: ["pending"], order: "oldest", limit: firstPage });
      if (!stopped && !store.getState().ready) update({ pending: new Map(items.map((session) => [session.id, session])) });
    };
    if (connection !== undefined) setConnection(connection.state());
    const stopListening = connection?.onState(setConnection);
    // If it fails, the snapshot brings the same.
    if (firstPage !== undefined && !store.getState().ready) showFirst().catch(() => {});
    void begin();
    return () => {
      stopped = true;
      stopListening?.();
      cancelRetry?.();
      watch?.close();
    };
  };

  return {
    getState: store.getState,
    subscribe: store.subscribe,
    start,
    find: (id) => store.getState().pending.get(id) ?? store.getState().settled.get(id),
    accept: take,
    onArrival(listener) {
      arrivals.add(listener);
      for (const session of unheard?.flatMap((id) => store.getState().pending.get(id) ?? []) ?? []) listener(session);
      unheard = undefined;
      return () => void arrivals.delete(listener);
    },
  };
}

/** Whether a question is new, or has a new reply from the agent. */
const isNews = (known: SessionView | undefined, session: SessionView): boolean =>
  known === undefined || replyCount(session) > replyCount(known);

function without<Value>(map: ReadonlyMap<string, Value>, key: string): Map<string, Value> {
  const copy = new Map(map);
  copy.delete(key);
  return copy;
}
