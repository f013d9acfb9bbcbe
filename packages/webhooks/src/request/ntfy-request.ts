import { noticeOf } from "@askbox/attention";
import { pageOf, type WebhookEvent } from "../event.ts";
import type { NtfyTarget } from "../target.ts";
import type { Outgoing } from "./outgoing.ts";

/** What became of a session, for one who sees a single line. */
const endings = { pending: "Waiting", answered: "Answered", cancelled: "Turned down", timed_out: "Nobody answered in time" } as const;

/** A push in ntfy's JSON form (ntfy documentation, "Publish as JSON"): text in any script needs no encoding there, as it would in headers. */
export function ntfyRequest(target: NtfyTarget, event: WebhookEvent): Outgoing {
  const { origin, pathname } = new URL(target.url);
  const { session, type } = event;
  const { title, body } = noticeOf([session], { showText: target.text });
  const ending = endings[session.status];
  const message = type === "session.opened" ? body : target.text ? `${ending}: ${body}` : `${ending}.`;
  return {
    url: `${origin}/`,
    headers: {
      "content-type": "application/json",
      "user-agent": "askbox",
      ...(target.token !== undefined && { authorization: `Bearer ${target.token}` }),
    },
    body: JSON.stringify({
      topic: decodeURIComponent(pathname.slice(1)),
      title,
      message,
      tags: [type === "session.opened" ? "question" : "white_check_mark"],
      priority: target.priority,
      click: pageOf(target, event),
    }),
  };
}
