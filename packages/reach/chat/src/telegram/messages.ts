import * as z from "zod";
import type { ChatButton, ChatEvent, ChatMessage, Part, SentFile } from "../port.ts";

/** What Telegram shows and reports: a message as its entities and buttons, and updates as events. */

const userSchema = z.object({ id: z.number(), first_name: z.string().catch("").default(""), username: z.string().optional() });
const chatSchema = z.object({ id: z.number(), type: z.string(), title: z.string().optional() });
const fileSchema = z
  .object({ file_id: z.string().max(500), file_size: z.number().optional(), file_name: z.string().max(1_000).optional() })
  .optional()
  .catch(undefined);
/** Where a message is, in groups with topics. Without `is_topic_message`, the thread is only a chain of replies. */
const threadSchema = { message_thread_id: z.number().optional(), is_topic_message: z.boolean().optional() };
const messageSchema = z.object({
  message_id: z.number(),
  chat: chatSchema,
  ...threadSchema,
  from: userSchema.optional(),
  /** In whose name it is, if that is a group or a channel: then `from` is one account of Telegram's for all of them. */
  sender_chat: z.unknown().optional(),
  text: z.string().optional(),
  caption: z.string().optional(),
  media_group_id: z.string().optional(),
  document: fileSchema,
  video: fileSchema,
  audio: fileSchema,
  voice: fileSchema,
  /** In several sizes, the largest last. */
  photo: z
    .array(z.object({ file_id: z.string().max(500), file_size: z.number().optional() }))
    .max(20)
    .optional()
    .catch(undefined),
  reply_to_message: z
    .object({ message_id: z.number(), forum_topic_created: z.object({ name: z.string() }).optional().catch(undefined) })
    .optional(),
  /** A group has become a supergroup, which has another id: told in both. */
  migrate_to_chat_id: z.number().optional(),
  migrate_from_chat_id: z.number().optional(),
});
/** What came (core.telegram.org/bots/api, "Update"). */
export const updateSchema = z.object({
  update_id: z.number(),
  message: messageSchema.optional().catch(undefined),
  callback_query: z
    .object({
      id: z.string(),
      from: userSchema,
      message: z.object({ message_id: z.number(), chat: chatSchema, ...threadSchema }).optional(),
      data: z.string().optional(),
    })
    .optional()
    .catch(undefined),
});
export type Update = z.output<typeof updateSchema>;

/** A group that has another id now. */
export function moveIn({ message }: Update): { from: string; to: string } | undefined {
  const { chat, migrate_to_chat_id: to, migrate_from_chat_id: from } = message ?? {};
  if (chat === undefined || (from ?? to) === undefined) return undefined;
  return { from: String(from ?? chat.id), to: String(to ?? chat.id) };
}

/** A chat is a group, a person's own or, as `-100200:7`, a topic of a group. */
export function chatOf(chat: string): { chat_id: number; message_thread_id?: number } {
  const [id, topic] = chat.split(":");
  return { chat_id: Number(id), ...(topic !== undefined && { message_thread_id: Number(topic) }) };
}

/** A press or what was written as an event; undefined for anything else. */
export function eventOfUpdate({ update_id, message, callback_query: query }: Update): ChatEvent | undefined {
  if (query !== undefined) {
    if (query.message === undefined || query.data === undefined) return undefined;
    return {
      ...eventIn(update_id, query.message, query.from),
      action: query.data.slice(0, 64),
      message: String(query.message.message_id),
    };
  }
  if (message?.from === undefined || message.sender_chat !== undefined) return undefined;
  const { message_id, from, caption, text = caption, media_group_id } = message;
  const file = fileOf(message);
  if (text === undefined && file === undefined) return undefined;
  // What is no reply in a topic is one to the message that began it.
  const isReply = message.reply_to_message !== undefined && message.reply_to_message.message_id !== topicOf(message);
  const topic = message.reply_to_message?.forum_topic_created?.name;
  const event = eventIn(update_id, message, from);
  return {
    ...event,
    ...(event.chatTitle !== undefined && topic !== undefined && { chatTitle: `${event.chatTitle}: ${topic}` }),
    text: text ?? "",
    own: String(message_id),
    ...(isReply && { replyTo: String(message.reply_to_message?.message_id) }),
    ...(file !== undefined && { files: [file], isPart: media_group_id !== undefined }),
  };
}

/** A picture has no name there. */
function fileOf({ message_id, photo, document, video, audio, voice }: z.output<typeof messageSchema>): SentFile | undefined {
  const largest = photo?.at(-1);
  const file = document ?? video ?? audio ?? voice ?? (largest && { ...largest, file_name: `photo-${message_id}.jpg` });
  return file && { name: (file.file_name ?? `file-${message_id}`).slice(0, 300), size: file.file_size ?? 0, ref: file.file_id };
}

type Placed = Pick<z.output<typeof messageSchema>, "chat" | "message_thread_id" | "is_topic_message">;

const topicOf = ({ chat, message_thread_id, is_topic_message }: Placed): number | undefined =>
  chat.type !== "private" && is_topic_message ? message_thread_id : undefined;

function eventIn(update: number, placed: Placed, from: z.output<typeof userSchema>): ChatEvent {
  const { chat } = placed;
  const topic = topicOf(placed);
  const name = from.first_name === "" ? (from.username ?? "") : from.first_name;
  return {
    id: String(update),
    chat: topic === undefined ? String(chat.id) : `${chat.id}:${topic}`,
    isGroup: chat.type !== "private",
    from: { id: String(from.id), name },
    ...(chat.title !== undefined && { chatTitle: chat.title }),
  };
}

/** Telegram's type of each part. Text that is not marked is sent as it is: there is no markup to escape. */
const types = { bold: "bold", code: "pre", text: undefined } as const satisfies Record<Part["as"], string | undefined>;

/** A text with its entities, whose places are in UTF-16 units, as in JavaScript. */
function textOf(parts: readonly Part[]): { text: string; entities: { type: string; offset: number; length: number }[] } {
  let text = "";
  const entities: { type: string; offset: number; length: number }[] = [];
  for (const part of parts) {
    if (part.text === "") continue;
    if (text !== "") text += "\n";
    const type = types[part.as];
    if (type !== undefined) entities.push({ type, offset: text.length, length: part.text.length });
    text += part.text;
  }
  return { text, entities };
}

/** What a message is, without where it goes. */
export function bodyOf({ parts, rows }: ChatMessage): object {
  return {
    ...textOf(parts),
    link_preview_options: { is_disabled: true },
    reply_markup: { inline_keyboard: rows.map((row) => row.map(buttonOf)) },
  };
}

const buttonOf = ({ id, label, link }: ChatButton) =>
  link === undefined ? { text: label, callback_data: id } : { text: label, url: link };
