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
