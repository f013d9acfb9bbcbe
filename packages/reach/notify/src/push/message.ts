import { createHash } from "node:crypto";
import { shorten } from "@askbox/terminal-text";
import type { HandedButtons } from "../channels/channel.ts";
import type { Outgoing } from "../channels/post.ts";
import type { NotifyEvent } from "../event.ts";
import { eventNotice, withWhole } from "../notice.ts";
import { encryptPush, maxMessage } from "./encrypt.ts";
import type { PushBrowser } from "./options.ts";
import { type VapidKey, vapidAuthorization } from "./vapid.ts";

/** Seconds that a push service keeps a message for a browser that is offline: as long as the question waits, within these. */
const ttl = { min: 60, usual: 86_400, max: 2_419_200 };

/** What the page's service worker gets, as JSON. */
export interface PushMessage {
  /** The session's id: a later message about it replaces the notification. */
  id: string;
  /** The browser's id, which it sends with a press. */
  to: string;
  title: string;
  body: string;
  /** The path of the page that a tap opens, below the hub's base path. */
  page: string;
  /** Answers that one press gives. */
  buttons?: readonly { label: string; token: string }[];
  /** The question is settled: the notification goes away. */
  ended?: true;
}

export interface MessageParts {
  event: NotifyEvent;
  browser: PushBrowser;
  showText: boolean;
  handed: HandedButtons | undefined;
}

export function messageOf({ event, browser, showText, handed }: MessageParts): PushMessage {
  const { id } = event.session;
  const isEnd = event.type === "session.settled";
  const { title, body } = eventNotice(event, { showText });
  return {
    id,
    to: browser.id,
    title,
    body: handed === undefined ? body : withWhole(body, event, handed),
    page: `/${isEnd ? "history" : "s"}/${encodeURIComponent(id)}`,
    ...(handed && { buttons: handed.buttons }),
    ...(isEnd && { ended: true }),
  };
}

/**
 * A request to the browser's push service (RFC 8030), which can't read the message. A message that is still waiting there about the same
 * session is replaced. `now`: wall time in ms.
 */
export function pushRequest(key: VapidKey, { push }: PushBrowser, event: NotifyEvent, message: PushMessage, now: number): Outgoing {
  const isEnd = event.type === "session.settled";
  const { id, deadlineAt } = event.session;
  const left = isEnd || deadlineAt === null ? ttl.usual : Math.ceil((deadlineAt - now) / 1_000);
  return {
    url: push.endpoint,
    headers: {
      authorization: vapidAuthorization(key, push.endpoint, now),
      "content-encoding": "aes128gcm",
      "content-type": "application/octet-stream",
      ttl: String(Math.min(Math.max(left, ttl.min), ttl.max)),
      urgency: isEnd ? "normal" : "high",
      topic: createHash("sha256").update(id).digest("base64url").slice(0, 32),
    },
    body: encryptPush(fitting(message), push.keys),
  };
}

/** Only a message without buttons can be too long: an answer belongs to what was shown. */
function fitting(message: PushMessage): string {
  const text = JSON.stringify(message);
  const over = Buffer.byteLength(text) - maxMessage;
  return over <= 0 ? text : JSON.stringify({ ...message, body: shorten(message.body, Math.max(message.body.length - over, 0)) });
}
