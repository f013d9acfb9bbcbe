// A channel carries text in order, both ways. What arrives before somebody listens is kept; two ends in one process make a pair.

/** Why the other side closed the channel. */
export interface ChannelEnd {
  code?: number | undefined;
  reason?: string | undefined;
}

/** Ordered two-way text messages over any transport. */
export interface Channel {
  /** Sends one message. Does nothing on a closed channel. */
  send(text: string): void;
  /** Sets the only message listener. Messages that arrived earlier are delivered to it. */
  onMessage(listener: (text: string) => void): void;
  /**
   * Sets the only close listener, called once when the other side closes or the connection breaks, even if that already happened. Not
   * called after your own `close`.
   */
  onClose(listener: (end: ChannelEnd) => void): void;
  /** Closes it. No listener is called afterwards on this side. Closing twice is fine. */
  close(code?: number, reason?: string): void;
  /** Bytes that are buffered and not sent yet, if the transport knows. */
  readonly bufferedAmount?: number | undefined;
}

const encoder = new TextEncoder();

/** Length in UTF-8. */
export function byteLength(text: string): number {
  return encoder.encode(text).length;
}

/** The receiving half of a channel: buffers messages until there is a listener, and reports the close once. */
export interface Inbox {
  onMessage(listener: (text: string) => void): void;
  onClose(listener: (end: ChannelEnd) => void): void;
  message(text: string): void;
  end(end: ChannelEnd): void;
  /** No listener is called from now on. */
  mute(): void;
}

export function createInbox(): Inbox {
  const early: string[] = [];
  let messages: ((text: string) => void) | undefined;
  let closes: ((end: ChannelEnd) => void) | undefined;
  let ended: ChannelEnd | undefined;
  let told = false;
  let muted = false;

  const publishEnd = () => {
    if (muted || told || ended === undefined || closes === undefined) return;
    told = true;
    closes(ended);
  };

  return {
    onMessage(listener) {
      messages = listener;
      for (let text = early.shift(); text !== undefined && !muted; text = early.shift()) messages(text);
    },
    onClose(listener) {
      closes = listener;
      publishEnd();
    },
    message(text) {
      if (muted || ended !== undefined) return;
      if (messages === undefined) early.push(text);
      else messages(text);
    },
    end(end) {
      ended ??= end;
      publishEnd();
    },
    mute() {
      muted = true;
      early.length = 0;
    },
  };
}

/** Two connected channels within a process: each receives what the other sends, in order, asynchronously. */
export function channelPair(): [Channel, Channel] {
  const inboxes = [createInbox(), createInbox()] as const;
  const flying = [0, 0];
  let closed = false;

  const endAt = (side: 0 | 1): Channel => {
    const other = side === 0 ? 1 : 0;
    return {
      send(text) {
        if (closed) return;
        flying[side] = (flying[side] ?? 0) + text.length;
        queueMicrotask(() => {
          flying[side] = (flying[side] ?? 0) - text.length;
          inboxes[other].message(text);
        });
      },
      onMessage: inboxes[side].onMessage,
      onClose: inboxes[side].onClose,
      close(code, reason) {
        inboxes[side].mute();
        if (closed) return;
        closed = true;
        queueMicrotask(() => inboxes[other].end({ code, reason }));
      },
      get bufferedAmount() {
        return flying[side] ?? 0;
      },
    };
  };
  return [endAt(0), endAt(1)];
}
