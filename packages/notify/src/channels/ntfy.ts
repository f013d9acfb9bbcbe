import * as z from "zod";
import type { NotifyEvent } from "../event.ts";
import { eventNotice } from "../notice.ts";
import { pageOf, type RemoteChannel, type TargetBase } from "./channel.ts";
import type { Outgoing } from "./post.ts";

const fields = {
  token: z.string().min(1).optional().describe("The access token of an ntfy server. Better kept in secretFile."),
  priority: z.int().min(1).max(5).optional().describe("The priority of an ntfy push; 3 is the server's default."),
};
type Settings = z.output<z.ZodObject<typeof fields>>;

/** A topic on an ntfy server; the URL's path is the topic. */
export const ntfy = {
  noun: "an ntfy server",
  words: {
    sends: "a push by an ntfy server",
    url: "for ntfy, the path is the topic",
    events: "session.opened and session.replied_back for ntfy",
    credential: "the ntfy server's access token",
  },
  reader: "person",
  fields,
  credential: "token",
  events: ["session.opened", "session.replied_back"],
  urlProblem: ({ pathname }: URL) =>
    /^\/[\w-]{1,64}$/.test(pathname) ? undefined : "must have the topic as its URL's path, such as https://ntfy.sh/my-topic",
  request,
} satisfies RemoteChannel<Settings>;

/** The priority of a push that only says how a question ended: without sound, at the end of the list. */
const quiet = 1;

/**
 * A push in ntfy's JSON format (ntfy documentation, "Publish as JSON"), which needs no encoding for non-ASCII text, unlike headers. Pushes of
 * one session replace each other, from ntfy 2.16; an older server delivers each.
 */
function request(target: TargetBase & Settings, event: NotifyEvent): Outgoing {
  const { origin, pathname } = new URL(target.url);
  const isEnd = event.type === "session.settled";
  const { title, body } = eventNotice(event, { showText: target.text });
  return {
    url: `${origin}/`,
    headers: {
      "content-type": "application/json",
      "user-agent": "askbox",
      ...(target.token !== undefined && { authorization: `Bearer ${target.token}` }),
    },
    body: JSON.stringify({
      topic: decodeURIComponent(pathname.slice(1)),
      sequence_id: event.session.id,
      title,
      message: body,
      tags: [isEnd ? "white_check_mark" : "question"],
      priority: isEnd && !target.events.includes(event.type) ? quiet : target.priority,
      click: pageOf(target, event),
    }),
  };
}
