import type { Channel } from "./channel.ts";
import { createInbox } from "./inbox.ts";

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
