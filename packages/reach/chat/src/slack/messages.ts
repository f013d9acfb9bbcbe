import { cut, maxFiles } from "@askbox/core/questions";
import * as z from "zod";
import { parsed } from "../http.ts";
import type { ChatButton, ChatEvent, ChatMessage, Part, SentFile, TextRequest } from "../port.ts";

/** What Slack shows and reports: a message as its blocks, and what people wrote and pressed as events. */

/** Characters of a notification; of a button's and an option's label; of a form's label, and of what is written in it. */
const max = { notice: 300, button: 75, label: 2_000, input: 3_000 };

/** Text that is only text: no markup, no `:emoji:`. */
const plain = (text: string, length: number) => ({ type: "plain_text", text: cut(text, length), emoji: false });

/** What a message is, without where it goes. */
export function bodyOf({ parts, rows, menu }: Pick<ChatMessage, "parts" | "rows" | "menu">): Readonly<Record<string, unknown>> {
  const select = menu && [
    {
      type: "static_select",
      action_id: "menu",
      placeholder: plain(menu.placeholder, 150),
      options: menu.options.map(({ id, label }) => ({ text: plain(label, max.button), value: id })),
    },
  ];
  const blocks = [...(select === undefined ? [] : [select]), ...rows.map((row) => row.map(buttonOf))];
  return {
    text: noticeOf(parts),
    blocks: [richText(parts), ...blocks.map((elements) => ({ type: "actions", elements }))],
    mrkdwn: false,
    parse: "none",
    link_names: false,
    unfurl_links: false,
    unfurl_media: false,
  };
}

/** Text that Slack shows as it is: in rich text, formatting is a field of its own, and nothing is looked for in the letters. */
function richText(parts: readonly Part[]): object {
  const elements: { type: string; elements: object[] }[] = [];
  for (const { as, text } of parts) {
    if (text === "") continue;
    const last = elements.at(-1);
    const element = { type: "text", text, ...(as === "bold" && { style: { bold: true } }) };
    if (as === "code") elements.push({ type: "rich_text_preformatted", elements: [element] });
    else if (last?.type === "rich_text_section") last.elements.push({ type: "text", text: "\n" }, element);
    else elements.push({ type: "rich_text_section", elements: [element] });
  }
  return { type: "rich_text", elements };
}

/** What a notification shows, whose markup can't be turned off: it is escaped (docs.slack.dev, "Formatting message text"). */
function noticeOf(parts: readonly Part[]): string {
  const words = parts.filter(({ as }) => as !== "code").map(({ text }) => text);
  return cut(words.join("\n"), max.notice).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

const styles = { good: "primary", bad: "danger" } as const;

const buttonOf = ({ id, label, look, link }: ChatButton) => ({
  type: "button",
  action_id: id,
  text: plain(label, max.button),
  ...(link === undefined ? { value: id } : { url: link }),
  ...(look !== undefined && { style: styles[look] }),
});

/** A form for one text. `about`: comes back with what is filled in. */
export const formOf = ({ title }: TextRequest, about: object) => ({
  type: "modal",
  private_metadata: JSON.stringify(about),
  title: plain("askbox", 24),
  submit: plain("Send", 24),
  close: plain("Cancel", 24),
  blocks: [
    {
      type: "input",
      block_id: "text",
      label: plain(title === "" ? "Your answer" : title, max.label),
      element: { type: "plain_text_input", action_id: "text", multiline: true, max_length: max.input },
    },
  ],
});

const id = z.string().min(1).max(100);

/** What comes over a socket (docs.slack.dev/apis/events-api/using-socket-mode). */
export const envelopeSchema = z.object({
  type: z.string(),
  envelope_id: z.string().optional(),
  /** Why the connection is about to end. */
  reason: z.string().optional(),
  payload: z.unknown().optional(),
});

const fileSchema = z.object({
  name: z.string().catch("file"),
  size: z.number().catch(0),
  url_private_download: z.string().max(2_000).catch(""),
});
const messageSchema = z.object({
  event: z.object({
    type: z.literal("message"),
    // A message that was edited, or that somebody joined, is none that answers.
    subtype: z.enum(["thread_broadcast", "file_share"]).optional(),
    bot_id: z.never().optional(),
    channel: id,
    user: id,
    ts: id,
    thread_ts: id.optional(),
    text: z.string().max(40_000),
    files: z.array(fileSchema).max(maxFiles).optional(),
  }),
});
const renamedSchema = z.object({
  event: z.object({ type: z.literal("channel_id_changed"), old_channel_id: id, new_channel_id: id }),
});
const pressSchema = z.object({
  type: z.literal("block_actions"),
  trigger_id: z.string(),
  user: z.object({ id }),
  channel: z.object({ id }),
  message: z.object({ ts: id, thread_ts: id.optional() }),
  actions: z.tuple([
    z.object({
      action_ts: id,
      value: z.string().max(2_000).optional(),
      selected_option: z
        .object({ value: z.string().max(2_000) })
        .nullish()
        .catch(undefined),
    }),
  ]),
});
/** What a form is about: it went to Slack with the form, and comes back. */
const aboutSchema = z.object({ action: z.string(), chat: id, message: z.string().optional() });
const formSchema = z.object({
  type: z.literal("view_submission"),
  user: z.object({ id }),
  view: z.object({
    id,
    private_metadata: z.string().max(3_000),
    state: z.object({ values: z.object({ text: z.object({ text: z.object({ value: z.string().max(3_000).nullish() }) }) }) }),
  }),
});

/** A message's id here: its own, and that of the first message of its thread, to which replies have to go. */
export const messageId = (ts: string, thread: string | undefined): string =>
  thread === undefined || thread === ts ? ts : `${ts}:${thread}`;
export const tsOf = (message: string): string => message.split(":")[0] ?? "";
export const threadOf = (message: string): string => message.split(":").at(-1) ?? "";

/** Ids of direct messages with the bot begin so. */
const isGroup = (channel: string) => !channel.startsWith("D");

/** What a person did, and with what a form can be opened for the next three seconds. */
export interface Interaction {
  event: ChatEvent;
  trigger?: string;
}

/** A channel that has another id now, as when it is shared with another organisation. */
export function moveIn({ type, payload }: z.output<typeof envelopeSchema>): { from: string; to: string } | undefined {
  const { data } = renamedSchema.safeParse(type === "events_api" ? payload : undefined);
  return data && { from: data.event.old_channel_id, to: data.event.new_channel_id };
}

/** Undefined for what is nothing that a person said or pressed. */
export function interactionOf({ type, payload }: z.output<typeof envelopeSchema>): Interaction | undefined {
  if (type === "events_api") return writtenIn(payload);
  return type === "interactive" ? (pressIn(payload) ?? formIn(payload)) : undefined;
}

function writtenIn(payload: unknown): Interaction | undefined {
  const { data } = messageSchema.safeParse(payload);
  if (data === undefined) return undefined;
  const { channel, user, ts, thread_ts, text, files = [] } = data.event;
  const isReply = thread_ts !== undefined && thread_ts !== ts;
  const event: ChatEvent = {
    id: `${channel}-${ts}`,
    chat: channel,
    isGroup: isGroup(channel),
    from: { id: user, name: "" },
    ...(files.length > 0 && { files: files.map(sentFile) }),
    text: plainOf(text),
    own: messageId(ts, thread_ts),
    ...(isReply && { replyTo: thread_ts }),
  };
  return { event };
}

const sentFile = ({ name, size, url_private_download: ref }: z.output<typeof fileSchema>): SentFile => ({
  name: name.slice(0, 300),
  size,
  ref,
});

function pressIn(payload: unknown): Interaction | undefined {
  const { data } = pressSchema.safeParse(payload);
  const [action] = data?.actions ?? [];
  const pressed = action?.value ?? action?.selected_option?.value;
  // A link sends a press, too.
  if (data === undefined || action === undefined || pressed === undefined) return undefined;
  const { channel, message, user, trigger_id } = data;
  const event: ChatEvent = {
    id: `${message.ts}-${action.action_ts}-${user.id}`,
    chat: channel.id,
    isGroup: isGroup(channel.id),
    from: { id: user.id, name: "" },
    action: pressed,
    message: messageId(message.ts, message.thread_ts),
  };
  return { event, trigger: trigger_id };
}

function formIn(payload: unknown): Interaction | undefined {
  const { data } = formSchema.safeParse(payload);
  const about = data && aboutSchema.safeParse(parsed(data.view.private_metadata)).data;
  if (data === undefined || about === undefined) return undefined;
  const { view, user } = data;
  const event: ChatEvent = {
    id: view.id,
    isGroup: isGroup(about.chat),
    from: { id: user.id, name: "" },
    ...about,
    text: view.state.values.text.text.value ?? "",
  };
  return { event };
}

/** What a person wrote, without Slack's markup: links and mentions are in angle brackets, and three characters are escaped. */
export function plainOf(text: string): string {
  return text
    .replace(/<([@#!]?)([^<>|]*)(?:\|([^<>]*))?>/g, (_whole, sign: string, target: string, label: string | undefined) =>
      sign === "" ? (label ?? target) : `${sign === "!" ? "@" : sign}${label ?? target}`,
    )
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}
