import { isReply } from "@askbox/core/questions";
import * as z from "zod";
import { pageOf, type ThreadMessage, type WebhookEvent } from "../event.ts";
import type { Outgoing } from "../request/outgoing.ts";
import type { TargetBase } from "../target.ts";
import { noticeOf } from "../text/notice.ts";
import type { WebhookKind } from "./kind.ts";

const fields = {
  token: z.string().min(1).optional().describe("The access token of an ntfy server. Better kept in secretFile."),
  priority: z.int().min(1).max(5).optional().describe("The priority of an ntfy push; 3 is the server's default."),
};
type Settings = z.output<z.ZodObject<typeof fields>>;

/** A topic on an ntfy server; the URL's path is the topic. */
export const ntfy = {
  noun: "an ntfy server",
  sends: "a push by an ntfy server",
  fields,
  credential: "token",
  events: ["session.opened", "session.replied_back"],
  urlProblem: ({ pathname }: URL) =>
    /^\/[\w-]{1,64}$/.test(pathname) ? undefined : "must have the topic as its URL's path, such as https://ntfy.sh/my-topic",
  request,
} satisfies WebhookKind<Settings>;

/** Maximum length of a message, as much as a push notification shows. */
const maxWords = 300;

/** A session's outcome on one line. */
const endings = { pending: "Waiting", answered: "Answered", cancelled: "Declined", timed_out: "Nobody answered in time" } as const;

/** A push in ntfy's JSON format (ntfy documentation, "Publish as JSON"), which needs no encoding for non-ASCII text, unlike headers. */
function request(target: TargetBase & Settings, event: WebhookEvent): Outgoing {
  const { origin, pathname } = new URL(target.url);
  const { session, type } = event;
  const { title, body } = noticeOf([session], { showText: target.text });
  const ending = endings[session.status];
  const message = event.message === undefined ? aboutSession() : aboutMessage(event.message);
  function aboutSession(): string {
    if (type === "session.opened") return body;
    return target.text ? `${ending}: ${body}` : `${ending}.`;
  }
  function aboutMessage(one: ThreadMessage): string {
    const what = isReply(one) ? "The agent has replied" : "The agent was asked back";
    return target.text ? `${what}: ${one.text.slice(0, maxWords).replaceAll(/\s/g, " ")}` : `${what}.`;
  }
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
      tags: [type === "session.settled" ? "white_check_mark" : "question"],
      priority: target.priority,
      click: pageOf(target, event),
    }),
  };
}
