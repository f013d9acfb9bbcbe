import type { SessionView } from "@askbox/core";
import { isReply } from "@askbox/core/questions";
import type { TargetBase, WebhookEventType } from "./target.ts";

export type ThreadMessage = NonNullable<SessionView["thread"]>[number];

/** Something that happened to a session. Repeated deliveries have the same id. */
export interface WebhookEvent {
  id: string;
  type: WebhookEventType;
  /** Wall time in ms since the epoch. */
  at: number;
  session: SessionView;
  /** What a person asked back, or the agent's reply. */
  message?: ThreadMessage;
}

/** The id is derived from the session's, so that a restarted hub, or a second hub, sends the same event with the same id. */
export function eventOf(type: "session.opened" | "session.settled", session: SessionView): WebhookEvent {
  const at = type === "session.opened" ? session.createdAt : (session.closedAt ?? session.createdAt);
  return { id: `${session.id}.${type === "session.opened" ? "opened" : "settled"}`, type, at, session };
}

/** A message of the session's thread. */
export function messageEventOf(session: SessionView, message: ThreadMessage): WebhookEvent {
  const type = isReply(message) ? "session.replied_back" : "session.asked_back";
  return { id: `${session.id}.${message.id}`, type, at: message.at, session, message };
}

export function isWanted({ events, project, agentId }: TargetBase, { type, session: { asker } }: WebhookEvent): boolean {
  return (
    events.includes(type) && (project === undefined || asker.project === project) && (agentId === undefined || asker.agentId === agentId)
  );
}

/** The session's page, if the target has an inbox URL. */
export function pageOf({ inbox }: TargetBase, { type, session }: WebhookEvent): string | undefined {
  const page = type === "session.settled" ? "history" : "s";
  // linear: a run is only tried from its first character.
  return inbox === undefined ? undefined : `${inbox.replace(/(?<!\/)\/+$/, "")}/${page}/${encodeURIComponent(session.id)}`;
}
