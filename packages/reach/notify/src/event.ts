import type { SessionView } from "@askbox/core";
import { isReply } from "@askbox/core/questions";

/** Those of a session. */
export const sessionEvents = ["session.opened", "session.asked_back", "session.replied_back", "session.settled"] as const;
export const eventTypes = [...sessionEvents, "denials.digest"] as const;
export type EventType = (typeof eventTypes)[number];
export type ThreadMessage = NonNullable<SessionView["thread"]>[number];

/** Something that happened to a session. Repeated deliveries have the same id. */
export interface NotifyEvent {
  id: string;
  type: EventType;
  /** Wall time in ms since the epoch. */
  at: number;
  session: SessionView;
  /** What a person asked back, or the agent's reply. */
  message?: ThreadMessage;
  /** Of a session that was settled before a person's press arrived: it was not taken. */
  isLate?: boolean;
  /** Of a digest: how many calls models have denied; the session is the newest. */
  denials?: number;
}

/** The id is derived from the session's, so that a restarted hub, or a second hub, sends the same event with the same id. */
export function eventOf(type: "session.opened" | "session.settled", session: SessionView): NotifyEvent {
  const at = type === "session.opened" ? session.createdAt : (session.closedAt ?? session.createdAt);
  return { id: `${session.id}.${type === "session.opened" ? "opened" : "settled"}`, type, at, session };
}

/** A message of the session's thread. */
export function messageEventOf(session: SessionView, message: ThreadMessage): NotifyEvent {
  const type = isReply(message) ? "session.replied_back" : "session.asked_back";
  return { id: `${session.id}.${message.id}`, type, at: message.at, session, message };
}

/** What models have denied, the newest first. `at`: wall time in ms. */
export function digestEventOf([newest, ...others]: readonly [SessionView, ...SessionView[]], at: number): NotifyEvent {
  return { id: `${newest.id}.denials`, type: "denials.digest", at, session: newest, denials: 1 + others.length };
}

/** Whether a message about it may have buttons that answer. */
export const takesAnswer = ({ type }: NotifyEvent): boolean => type !== "session.settled" && type !== "denials.digest";

/** Removes a session's id, and every id of its messages (its own, a dot and theirs). Whether the session's id was among them. */
export function forgetSession(ids: Set<string>, sessionId: string): boolean {
  for (const id of ids) if (id.startsWith(`${sessionId}.`)) ids.delete(id);
  return ids.delete(sessionId);
}
