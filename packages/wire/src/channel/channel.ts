/** Why the other side went. */
export interface ChannelEnd {
  code?: number | undefined;
  reason?: string | undefined;
}

/** Two-way text messages in order, over whatever carries them. */
export interface Channel {
  /** Sends one message. On a channel that is closed it does nothing. */
  send(text: string): void;
  /** Sets the one listener for messages. What came before it was set is kept for it. */
  onMessage(listener: (text: string) => void): void;
  /** Sets the one listener that is told once when the other side closes or the connection breaks, also if that was before. Not told after one's own `close`. */
  onClose(listener: (end: ChannelEnd) => void): void;
  /** Closes it. Nothing more is told on this side. Harmless when it is closed already. */
  close(code?: number, reason?: string): void;
  /** Bytes that were sent and have not left yet, where the carrier knows. */
  readonly bufferedAmount?: number | undefined;
}
