import type { DeskEvent, WatchFilter } from "../ports/desk.ts";
import type { Log } from "../ports/platform.ts";
import type { Draft } from "../session/draft.ts";
import type { SessionView } from "../session/view.ts";

interface Watcher {
  filter: WatchFilter;
  listener: (event: DeskEvent) => void;
  /** Events that came before the snapshot was ready; undefined once it has been sent. */
  early: DeskEvent[] | undefined;
  /** Pending sessions that this watcher knows. */
  known: Set<string>;
}

const matches = ({ project, agentId, machine, sessionId }: WatchFilter, { id, asker }: SessionView) =>
  (sessionId === undefined || id === sessionId) &&
  (project === undefined || asker.project === project) &&
  (agentId === undefined || asker.agentId === agentId) &&
  (machine === undefined || asker.machine === machine);

/** One object for all watchers to which a session is new: an event is serialized once. */
const openedEvents = new WeakMap<DeskEvent, DeskEvent>();

function asOpened(event: Extract<DeskEvent, { type: "session" }>): DeskEvent {
  const opened = openedEvents.get(event) ?? { ...event, opened: true };
  openedEvents.set(event, opened);
  return opened;
}

/** Desks that watch the inbox. */
export class Watchers {
  readonly #watchers = new Set<Watcher>();
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  get size(): number {
    return this.#watchers.size;
  }

  /** Starts collecting changes, so that none is missed while `snapshot` is read; sends the snapshot, then continues live. */
  async add(
    filter: WatchFilter,
    listener: (event: DeskEvent) => void,
    snapshot: () => Promise<{ sessions: SessionView[]; drafts: Draft[] }>,
  ): Promise<() => void> {
    const watcher: Watcher = { filter, listener, early: [], known: new Set() };
    this.#watchers.add(watcher);
    try {
      const { sessions, drafts } = await snapshot();
      for (const session of sessions) watcher.known.add(session.id);
      const early = watcher.early ?? [];
      watcher.early = undefined;
      const revisions = new Map(sessions.map((session) => [session.id, session.revision]));
      this.#publish(watcher, { type: "snapshot", sessions, drafts: drafts.filter((draft) => watcher.known.has(draft.sessionId)) });
      for (const event of early) {
        const stale = event.type === "session" && event.session.revision < (revisions.get(event.session.id) ?? 0);
        if (!stale) this.#pass(watcher, event);
      }
    } catch (error) {
      this.#watchers.delete(watcher);
      throw error;
    }
    return () => this.#watchers.delete(watcher);
  }

  /** Whether there is one with such a filter. */
  some(isFor: (filter: WatchFilter) => boolean): boolean {
    return [...this.#watchers].some(({ filter }) => isFor(filter));
  }

  publish(event: DeskEvent, isFor: (filter: WatchFilter) => boolean = () => true): void {
    for (const watcher of [...this.#watchers]) {
      if (!isFor(watcher.filter)) continue;
      if (watcher.early !== undefined) watcher.early.push(event);
      else this.#pass(watcher, event);
    }
  }

  close(): void {
    this.#watchers.clear();
  }

  #pass(watcher: Watcher, event: DeskEvent): void {
    switch (event.type) {
      case "session":
        if (!matches(watcher.filter, event.session)) return;
        if (event.session.status !== "pending") watcher.known.delete(event.session.id);
        else if (!watcher.known.has(event.session.id)) {
          watcher.known.add(event.session.id);
          return this.#publish(watcher, asOpened(event));
        }
        break;
      case "removed":
        if (![event.sessionId, undefined].includes(watcher.filter.sessionId)) return;
        watcher.known.delete(event.sessionId);
        break;
      case "draft":
        if (!watcher.known.has(event.draft.sessionId)) return;
        break;
      case "draft_erased":
      case "presence":
        if (!watcher.known.has(event.sessionId)) return;
        break;
      case "snapshot":
        break;
    }
    this.#publish(watcher, event);
  }

  #publish(watcher: Watcher, event: DeskEvent): void {
    try {
      watcher.listener(event);
    } catch (error) {
      this.#log("error", "A watcher failed on an event", { type: event.type, error: String(error) });
    }
  }
}
