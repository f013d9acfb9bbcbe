import * as z from "zod";
import type { ChatEvent, SentFile } from "../port.ts";

const userSchema = z.object({ id: z.number(), first_name: z.string().catch("").default(""), username: z.string().optional() });
const chatSchema = z.object({ id: z.number(), type: z.string(), title: z.string().optional() });
const fileSchema = z
  .object({ file_id: z.string().max(500), file_size: z.number().optional(), file_name: z.string().max(1_000).optional() })
  .optional()
  .catch(undefined);
const messageSchema = z.object({
  message_id: z.number(),
  chat: chatSchema,
  from: userSchema.optional(),
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
  reply_to_message: z.object({ message_id: z.number() }).optional(),
});
/** What came (core.telegram.org/bots/api, "Update"). */
export const updateSchema = z.object({
  update_id: z.number(),
  message: messageSchema.optional().catch(undefined),
  callback_query: z
    .object({
      id: z.string(),
      from: userSchema,
      message: z.object({ message_id: z.number(), chat: chatSchema }).optional(),
      data: z.string().optional(),
    })
    .optional()
    .catch(undefined),
});
export type Update = z.output<typeof updateSchema>;

/** A press or what was written as an event; undefined for anything else. */
export function eventOfUpdate({ update_id, message, callback_query: query }: Update): ChatEvent | undefined {
  if (query !== undefined) {
    if (query.message === undefined || query.data === undefined) return undefined;
    const { chat, message_id } = query.message;
    return { ...eventIn(update_id, chat, query.from), action: query.data.slice(0, 64), message: String(message_id) };
  }
  if (message?.from === undefined) return undefined;
  const { message_id, chat, from, caption, text = caption, reply_to_message: replied, media_group_id } = message;
  const file = fileOf(message);
  if (text === undefined && file === undefined) return undefined;
  return {
    ...eventIn(update_id, chat, from),
    text: text ?? "",
    own: String(message_id),
    ...(replied !== undefined && { replyTo: String(replied.message_id) }),
    ...(file !== undefined && { files: [file], isPart: media_group_id !== undefined }),
  };
}

/** A picture has no name there. */
function fileOf({ message_id, photo, document, video, audio, voice }: z.output<typeof messageSchema>): SentFile | undefined {
  const largest = photo?.at(-1);
  const file = document ?? video ?? audio ?? voice ?? (largest && { ...largest, file_name: `photo-${message_id}.jpg` });
  return file && { name: (file.file_name ?? `file-${message_id}`).slice(0, 300), size: file.file_size ?? 0, ref: file.file_id };
}

function eventIn(update: number, chat: z.output<typeof chatSchema>, from: z.output<typeof userSchema>): ChatEvent {
  const name = from.first_name === "" ? (from.username ?? "") : from.first_name;
  return {
    id: String(update),
    chat: String(chat.id),
    isGroup: chat.type !== "private",
    from: { id: String(from.id), name },
    ...(chat.title !== undefined && { chatTitle: chat.title }),
  };
}
