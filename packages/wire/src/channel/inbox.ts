import type { ChannelEnd } from "./channel.ts";

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
