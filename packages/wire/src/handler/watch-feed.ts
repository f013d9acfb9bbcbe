import type { Clock, Desk, DeskEvent, Log, Watch, WatchFilter } from "@askbox/core";
import type { Channel } from "../channel/channel.ts";

export interface WatchFeedOptions {
  desk: Desk;
  filter: WatchFilter;
  channel: Channel;
  /** The watch's request. */
  id: number;
  clock: Clock;
  maxBufferedBytes: number;
  log: Log;
}

export interface WatchFeed {
  close(): void;
}

/** Milliseconds between looks at whether a channel that fell behind has caught up. */
const lookAgainAfter = 500;

/** A change is the same object for every watch that is told it, and is made into text once for all of them. */
const texts = new WeakMap<DeskEvent, string>();

function textOf(event: DeskEvent): string {
  // One watch's own, and large.
  if (event.type === "snapshot") return JSON.stringify(event);
  let text = texts.get(event);
  if (text === undefined) {
    text = JSON.stringify(event);
    texts.set(event, text);
  }
  return text;
}

/**
 * Carries a watch's events over a channel. When the other side reads too slowly, the watch is given up, so that nothing piles
 * up in the hub, and begun again with a fresh snapshot once the channel has room. Resolves after the first snapshot is sent.
 */
export async function watchFeed({ desk, filter, channel, id, clock, maxBufferedBytes, log }: WatchFeedOptions): Promise<WatchFeed> {
  let current: { watch?: Watch } | undefined;
  let closed = false;
  let cancelTimer = () => {};

  const buffered = () => channel.bufferedAmount ?? 0;
  /** A snapshot may well be larger than the bound; what follows it need not wait until it has left. */
  let snapshotSize = 0;
  const send = (event: DeskEvent) => {
    const text = `{"watch":${id},"event":${textOf(event)}}`;
    if (event.type === "snapshot") snapshotSize = text.length;
    channel.send(text);
  };

  const begin = async () => {
    const mine: { watch?: Watch } = {};
    current = mine;
    const watch = await desk.watch(filter, (event) => {
      if (current !== mine) return;
      if (event.type === "snapshot" || buffered() <= maxBufferedBytes + snapshotSize) send(event);
      else fallBehind();
    });
    if (current === mine) mine.watch = watch;
    else watch.close();
  };
  const stop = () => {
    current?.watch?.close();
    current = undefined;
  };
  const fallBehind = () => {
    stop();
    lookAgain();
  };
  const lookAgain = () => {
    cancelTimer = clock.setTimer(lookAgainAfter, () => {
      if (buffered() > maxBufferedBytes / 2) return lookAgain();
      begin().catch((error: unknown) => {
        log("warn", "A watch could not be resumed; trying again", { error: String(error) });
        if (!closed) lookAgain();
      });
    });
  };

  await begin();
  return {
    close() {
      closed = true;
      cancelTimer();
      stop();
    },
  };
}
