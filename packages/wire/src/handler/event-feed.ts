// A watcher's events on their way out. A reader that is too slow gets no more changes, and a snapshot once it has caught up; one that reads
// nothing for a minute is disconnected. A large snapshot goes out in parts.

import type { Clock, Desk, DeskEvent, Draft, Log, SessionView, Watch, WatchFilter } from "@askbox/core";

/** The destination of a feed's events. */
export interface FeedOutlet {
  /** `text` is the event as JSON. */
  send(text: string, type: DeskEvent["type"]): void;
  /** Bytes that are buffered and not sent yet, if the transport knows. */
  readonly bufferedAmount?: number;
}

/** Options of an event feed. */
export interface EventFeedOptions {
  desk: Desk;
  filter: WatchFilter;
  outlet: FeedOutlet;
  clock: Clock;
  /** Maximum number of buffered bytes. Default 1,048,576. */
  maxBufferedBytes?: number | undefined;
  /** Called when the reader has read nothing for a minute while data was buffered: disconnect it. */
  onStuck(): void;
  /** Ends the feed. */
  signal: AbortSignal;
  log: Log;
}

/** A feed of desk events, until it is closed. */
export interface EventFeed {
  close(): void;
}

/** Default maximum of buffered bytes per watcher. */
export const DEFAULT_BUFFERED_BYTES = 1_048_576;
/** A snapshot is sent in parts of this many bytes, or a quarter of the buffer limit. */
const maxPartBytes = 262_144;
/** Milliseconds between checks for room for the next part. */
const roomCheckInterval = 10;
/** Milliseconds between checks whether a slow reader has caught up. */
const catchUpInterval = 500;
/** Milliseconds that a reader may read nothing. */
const stuckAfter = 60_000;

/** A change is the same object for all watchers, and is serialized once for all of them. */
const texts = new WeakMap<DeskEvent, string>();

function textOf(event: DeskEvent): string {
  let text = texts.get(event);
  if (text === undefined) {
    text = JSON.stringify(event);
    texts.set(event, text);
  }
  return text;
}

/**
 * Sends a watch's events as fast as they are read, and buffers no more than the limit. The snapshot is sent in parts. If the reader is too
 * slow for the changes, the watch is closed and restarted with a fresh snapshot once there is room. Resolves once the first snapshot is
 * sent, or when the feed is closed before that.
 */
export async function eventFeed(options: EventFeedOptions): Promise<EventFeed> {
  const { desk, filter, outlet, clock, maxBufferedBytes = DEFAULT_BUFFERED_BYTES, onStuck, signal, log } = options;
  const partBytes = Math.min(maxPartBytes, maxBufferedBytes / 4);
  let current: { watch?: Watch } | undefined;
  let parts: SnapshotParts | undefined;
  let closed = false;
  let cancelTimer = () => {};
  let snapshotSent = () => {};
  /** The lowest buffer level since the reader last made progress, and when that was. */
  let least = { bytes: Number.POSITIVE_INFINITY, since: 0 };

  const buffered = () => outlet.bufferedAmount ?? 0;
  /** Polls until `isReady`, and then continues. */
  const waitUntil = (isReady: () => boolean, interval: number, next: () => void) => {
    cancelTimer = clock.setTimer(interval, () => {
      const [bytes, now] = [buffered(), clock.monotonic()];
      if (bytes < least.bytes) least = { bytes, since: now };
      if (isReady()) {
        least = { bytes: Number.POSITIVE_INFINITY, since: 0 };
        return next();
      }
      if (now - least.since < stuckAfter) return waitUntil(isReady, interval, next);
      close();
      onStuck();
    });
  };
  const sendParts = () => {
    while (parts !== undefined) {
      if (buffered() > maxBufferedBytes / 2) return waitUntil(() => buffered() <= maxBufferedBytes / 2, roomCheckInterval, sendParts);
      outlet.send(parts.next(), "snapshot");
      if (parts.isSent) parts = undefined;
    }
    snapshotSent();
    if (current === undefined) catchUp();
  };
  const onEvent = (event: DeskEvent) => {
    if (event.type === "snapshot") {
      parts = snapshotParts(event, partBytes);
      return sendParts();
    }
    if (parts?.take(event)) return;
    if (buffered() <= maxBufferedBytes) return outlet.send(textOf(event), event.type);
    stop();
    // A snapshot in progress is finished, so that a slow reader gets at least one complete snapshot.
    if (parts === undefined) catchUp();
  };
  const begin = async () => {
    const mine: { watch?: Watch } = {};
    current = mine;
    const whole = new Promise<void>((resolve) => {
      snapshotSent = resolve;
    });
    try {
      let failure: { error: unknown } | undefined;
      const watch = await desk.watch(filter, (event) => {
        if (current !== mine) return;
        try {
          onEvent(event);
        } catch (error) {
          // An error in a listener is only logged, and the watch would seem to be active.
          failure ??= { error };
          throw error;
        }
      });
      if (current === mine) mine.watch = watch;
      else watch.close();
      if (failure !== undefined) throw failure.error;
    } catch (error) {
      stop();
      parts = undefined;
      throw error;
    }
    return closed ? undefined : whole;
  };
  const stop = () => {
    current?.watch?.close();
    current = undefined;
  };
  const catchUp = () => {
    waitUntil(
      () => buffered() <= maxBufferedBytes / 2,
      catchUpInterval,
      () => {
        begin().catch((error: unknown) => {
          log("warn", "A watch could not be resumed; trying again", { error: String(error) });
          if (!closed) catchUp();
        });
      },
    );
  };
  const close = () => {
    if (closed) return;
    closed = true;
    signal.removeEventListener("abort", close);
    cancelTimer();
    stop();
    parts = undefined;
    snapshotSent();
  };

  signal.addEventListener("abort", close, { once: true });
  try {
    await begin();
  } catch (error) {
    close();
    throw error;
  }
  return { close };
}

type Snapshot = Extract<DeskEvent, { type: "snapshot" }>;

/** The part of a snapshot that is not sent yet. Changes to it are merged in place. */
interface SnapshotParts {
  readonly isSent: boolean;
  /** The next part as JSON; all but the last have `more`. */
  next(): string;
  /** Merges a change to something that is not sent yet. Returns false if the change must be sent separately. */
  take(event: DeskEvent): boolean;
}

/** Splits a snapshot into parts of about `maxBytes` as JSON: a part ends with the session or draft that exceeds it. */
function snapshotParts({ sessions, drafts }: Snapshot, maxBytes: number): SnapshotParts {
  const unsent = new Map<string, SessionView>(sessions.map((session) => [session.id, session]));
  const unsentDrafts = new Map<string, Draft>(drafts.map((draft) => [draft.sessionId, draft]));
  let isSent = false;

  return {
    get isSent() {
      return isSent;
    },
    next() {
      let room = maxBytes;
      const take = (left: Map<string, unknown>) => {
        const taken: string[] = [];
        for (const [id, item] of left) {
          if (room <= 0) break;
          const text = JSON.stringify(item);
          room -= text.length;
          taken.push(text);
          left.delete(id);
        }
        return taken.join(",");
      };
      const part = `{"type":"snapshot","sessions":[${take(unsent)}],"drafts":[${take(unsentDrafts)}]`;
      isSent = unsent.size + unsentDrafts.size === 0;
      return isSent ? `${part}}` : `${part},"more":true}`;
    },
    take(event) {
      switch (event.type) {
        case "session": {
          const { id, status } = event.session;
          if (!unsent.has(id)) return false;
          if (status === "pending") return unsent.set(id, event.session).size > 0;
          unsent.delete(id);
          unsentDrafts.delete(id);
          return false;
        }
        case "presence": {
          const session = unsent.get(event.sessionId);
          if (session !== undefined) unsent.set(event.sessionId, { ...session, presence: event.presence });
          return session !== undefined;
        }
        case "removed":
          unsent.delete(event.sessionId);
          unsentDrafts.delete(event.sessionId);
          return false;
        case "draft":
          if (!unsent.has(event.draft.sessionId)) unsentDrafts.delete(event.draft.sessionId);
          else unsentDrafts.set(event.draft.sessionId, event.draft);
          return unsent.has(event.draft.sessionId);
        case "draft_erased":
          unsentDrafts.delete(event.sessionId);
          return false;
        case "snapshot":
          return false;
      }
    },
  };
}
