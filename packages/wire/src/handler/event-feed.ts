import type { Clock, Desk, DeskEvent, Log, Watch, WatchFilter } from "@askbox/core";
import { type SnapshotParts, snapshotParts } from "./snapshot-parts.ts";

/** Where a feed's events go. */
export interface FeedOutlet {
  /** `text` is the event as JSON. */
  send(text: string, type: DeskEvent["type"]): void;
  /** Bytes that were sent and have not left yet, where the carrier knows. */
  readonly bufferedAmount?: number;
}

/** Options of an event feed. */
export interface EventFeedOptions {
  desk: Desk;
  filter: WatchFilter;
  outlet: FeedOutlet;
  clock: Clock;
  /** What may wait to be sent, in bytes. Default 1,048,576. */
  maxBufferedBytes?: number;
  /** The reader has taken nothing for a minute while something waited for it: it is to be hung up on. */
  onStuck(): void;
  /** Ends the feed. */
  signal: AbortSignal;
  log: Log;
}

/** A feed of desk events, until it is closed. */
export interface EventFeed {
  close(): void;
}

/** What may wait to be sent to one watcher, in bytes. */
export const DEFAULT_BUFFERED_BYTES = 1_048_576;
/** A snapshot is sent in parts of this many bytes, or of a quarter of what may wait to be sent. */
const maxPartBytes = 262_144;
/** Milliseconds between looks at whether there is room for the next part. */
const roomCheckInterval = 10;
/** Milliseconds between looks at whether a reader that fell behind has caught up. */
const catchUpInterval = 500;
/** Milliseconds that a reader may take nothing. */
const stuckAfter = 60_000;

/** A change is the same object for every watcher that is told it, and is made into text once for all of them. */
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
 * Sends a watch's events as fast as they are read, and holds no more of them than that. The snapshot goes out in parts. When the reader is
 * too slow for the changes, the watch is given up and begun again with a fresh snapshot once there is room. Resolves after the first snapshot is
 * sent, or when the feed was ended before.
 */
export async function eventFeed(options: EventFeedOptions): Promise<EventFeed> {
  const { desk, filter, outlet, clock, maxBufferedBytes = DEFAULT_BUFFERED_BYTES, onStuck, signal, log } = options;
  const partBytes = Math.min(maxPartBytes, maxBufferedBytes / 4);
  let current: { watch?: Watch } | undefined;
  let parts: SnapshotParts | undefined;
  let closed = false;
  let cancelTimer = () => {};
  let snapshotSent = () => {};
  /** The least that waited to be sent since the reader was last seen to take something, and when that was. */
  let least = { bytes: Number.POSITIVE_INFINITY, since: 0 };

  const buffered = () => outlet.bufferedAmount ?? 0;
  /** Looks again and again until `isReady`, and then goes on. */
  const waitUntil = (isReady: () => boolean, interval: number, goOn: () => void) => {
    cancelTimer = clock.setTimer(interval, () => {
      const [bytes, now] = [buffered(), clock.monotonic()];
      if (bytes < least.bytes) least = { bytes, since: now };
      if (isReady()) {
        least = { bytes: Number.POSITIVE_INFINITY, since: 0 };
        return goOn();
      }
      if (now - least.since < stuckAfter) return waitUntil(isReady, interval, goOn);
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
    // Of a snapshot that is on its way the rest is sent, so that a slow reader gets to the end of one.
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
          // What a listener throws is otherwise no more than logged, and the watch would seem to stand.
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
