import * as z from "zod";
import { type NotifyEvent, takesAnswer } from "../event.ts";
import { eventNotice, withWhole } from "../notice.ts";
import { type HandedButtons, pageOf, type RemoteChannel, type TargetBase } from "./channel.ts";
import type { Outgoing } from "./post.ts";

const topic = /^[\w-]{1,64}$/;

const fields = {
  token: z.string().min(1).optional().describe("The access token of an ntfy server. Better kept in secretFile."),
  priority: z.int().min(1).max(5).optional().describe("The priority of an ntfy push; 3 is the server's default."),
  replyTopic: z
    .string()
    .regex(topic, "must be 1 to 64 letters, digits, hyphens and underscores")
    .optional()
    .describe("A second, secret topic of the same server: an ntfy push has buttons that answer through it."),
  replyToken: z.string().min(1).optional().describe("An access token that may only write to replyTopic. It goes with each push."),
  allow: z.boolean().optional().describe("Whether an action can be allowed once from an ntfy push. Denying it always can."),
  name: z.string().min(1).max(100).optional().describe('Who answers from an ntfy push. Default: "phone".'),
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
  // Its header would be refused with every push, by an error that has the token in it.
  credentialProblem: (token: string) =>
    /^[!-~]+$/.test(token) ? undefined : "has a token with spaces, or with letters that no header takes",
  events: ["session.opened", "session.replied_back"],
  urlProblem: ({ pathname }: URL) =>
    topic.test(pathname.slice(1)) ? undefined : "must have the topic as its URL's path, such as https://ntfy.sh/my-topic",
  settingsProblem,
  answers: { max: 3, maxBody: 2_400, maxLabel: 40, of: answersOf, stream, read },
  request,
} satisfies RemoteChannel<Settings>;

function settingsProblem({ url, replyTopic, replyToken, allow }: { url: string } & Settings): string | undefined {
  if (replyTopic === undefined) {
    return replyToken === undefined && allow === undefined ? undefined : "has no replyTopic, which its buttons need";
  }
  return new URL(url).pathname === `/${replyTopic}` ? "has its own topic as its replyTopic; name another one" : undefined;
}

/** What a person can't read can't be answered. */
function answersOf({
  replyTopic,
  text,
  allow = false,
  name = "phone",
}: TargetBase & Settings): { allow: boolean; name: string } | undefined {
  return replyTopic === undefined || !text ? undefined : { allow, name };
}

const authorization = (token: string | undefined): Record<string, string> =>
  token === undefined ? {} : { authorization: `Bearer ${token}` };

/** A stream of JSON lines (ntfy documentation, "Subscribe via API"), which replays what it has since a message. */
function stream({ url, token, replyTopic = "" }: TargetBase & Settings, since: string | undefined) {
  const { origin } = new URL(url);
  return {
    url: `${origin}/${replyTopic}/json?since=${encodeURIComponent(since ?? "all")}`,
    headers: { "user-agent": "askbox", ...authorization(token) },
  };
}

/** A message; everything else, such as `open` and `keepalive`, only shows that the connection works. */
function read(line: string): { id: string; text: string } | undefined {
  const { event, id, message } = parsed(line);
  return event === "message" && typeof id === "string" && topic.test(id) && typeof message === "string" ? { id, text: message } : undefined;
}

function parsed(line: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(line));
  } catch {
    return {};
  }
}

/** The priority of a push that only says how a question ended: without sound, at the end of the list. */
const quiet = 1;

/**
 * A push in ntfy's JSON format (ntfy documentation, "Publish as JSON"), which needs no encoding for non-ASCII text, unlike headers. Pushes of
 * one session replace each other, from ntfy 2.16; an older server delivers each.
 */
function request(target: TargetBase & Settings, event: NotifyEvent, _now: number, handed?: HandedButtons): Outgoing {
  const { origin, pathname } = new URL(target.url);
  const isEnd = event.type === "session.settled";
  const { title, body } = eventNotice(event, { showText: target.text });
  const headers = { "user-agent": "askbox", ...authorization(target.token) };
  const push = {
    sequence_id: event.session.id,
    title,
    message: handed === undefined ? body : withWhole(body, event, handed),
    tags: [isEnd ? "white_check_mark" : takesAnswer(event) ? "question" : "no_entry"],
    priority: isEnd && !target.events.includes(event.type) ? quiet : target.priority,
    click: pageOf(target, event),
    actions: handed && actionsOf(target, event, handed),
  };
  if (handed?.file !== undefined) {
    return { url: `${origin}${pathname}`, headers: { ...headers, ...headersOf(push), filename: "request.txt" }, body: `${handed.file}\n` };
  }
  return {
    url: `${origin}/`,
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ topic: decodeURIComponent(pathname.slice(1)), ...push }),
  };
}

/**
 * A push's fields beside a file, which is the body (ntfy documentation, "Attach local file"): ASCII by RFC 2047, of which each word holds a
 * part.
 */
function headersOf({
  sequence_id,
  tags,
  actions = [],
  ...texts
}: Readonly<Record<string, unknown>> & { tags: string[]; actions?: object[] | undefined }) {
  const fields = {
    ...texts,
    "sequence-id": sequence_id,
    tags: tags.join(","),
    actions: actions.length === 0 ? undefined : JSON.stringify(actions),
  };
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, encodedWords(String(value))]])),
  );
}

function encodedWords(text: string): string {
  if (/^[ -~]*$/.test(text) && !text.includes("=?")) return text;
  const words: string[] = [];
  let word = "";
  for (const character of text) {
    if (Buffer.byteLength(word + character) > 45) {
      words.push(word);
      word = "";
    }
    word += character;
  }
  return [...words, word].map((part) => `=?utf-8?B?${Buffer.from(part).toString("base64")}?=`).join(" ");
}

/** A button posts its token to the reply topic; the last one opens the question, if there is room. */
function actionsOf(target: TargetBase & Settings, event: NotifyEvent, { buttons }: HandedButtons): object[] {
  const { origin } = new URL(target.url);
  const page = pageOf(target, event);
  const answers = buttons.map(({ label, token }) => ({
    action: "http",
    label,
    method: "POST",
    url: `${origin}/${target.replyTopic}`,
    body: token,
    headers: authorization(target.replyToken),
  }));
  return [...answers, ...(page === undefined ? [] : [{ action: "view", label: "Open", url: page }])].slice(0, 3);
}
