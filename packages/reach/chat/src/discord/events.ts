import { maxFiles } from "@askbox/core/questions";
import * as z from "zod";
import type { ChatEvent } from "../port.ts";

const idSchema = z.string().regex(/^\d{1,20}$/);
const userSchema = z.object({
  id: idSchema,
  username: z.string().catch("").default(""),
  global_name: z.string().nullish().catch(undefined),
  bot: z.boolean().catch(false).default(false),
});
type User = z.output<typeof userSchema>;

/** What somebody wrote (docs.discord.com/developers/resources/message). */
export const messageSchema = z.object({
  id: idSchema,
  channel_id: idSchema,
  guild_id: idSchema.optional(),
  author: userSchema,
  content: z.string(),
  attachments: z
    .array(z.object({ filename: z.string().catch("file"), size: z.number().catch(0), url: z.string().max(2_000).catch("") }))
    .max(maxFiles)
    .optional()
    .catch(undefined),
  webhook_id: idSchema.optional(),
  message_reference: z.object({ message_id: idSchema.optional() }).nullish().catch(undefined),
});

const field = z.object({ value: z.string() });
/** A button that was pressed, an option that was chosen, or a form that was filled in (docs.discord.com/developers/interactions). */
export const interactionSchema = z.object({
  id: idSchema,
  token: z.string().regex(/^[\w.~-]{1,1000}$/),
  type: z.union([z.literal(3), z.literal(5)]),
  channel_id: idSchema,
  guild_id: idSchema.optional(),
  member: z.object({ user: userSchema }).optional(),
  user: userSchema.optional(),
  message: z.object({ id: idSchema }).optional(),
  data: z.object({
    custom_id: z.string().max(100),
    values: z.array(z.string().max(100)).optional(),
    components: z
      .array(z.object({ component: field.optional(), components: z.array(field).optional() }))
      .optional()
      .catch(undefined),
  }),
});
export type Interaction = z.output<typeof interactionSchema>;

const nameOf = ({ global_name, username }: User) => global_name ?? username;

/** A text as an event; undefined if it is a program's, or one that doesn't mention the bot: those come without their words. */
export function eventOfMessage({
  id,
  channel_id,
  guild_id,
  author,
  content,
  attachments = [],
  webhook_id,
  message_reference,
}: z.output<typeof messageSchema>) {
  const text = content.replace(/^(?:\s*<@[!&]?\d{1,20}>)+\s*/, "");
  if (author.bot || webhook_id !== undefined || (text === "" && attachments.length === 0)) return undefined;
  const replyTo = message_reference?.message_id;
  const event: ChatEvent = {
    id,
    chat: channel_id,
    isGroup: guild_id !== undefined,
    from: { id: author.id, name: nameOf(author) },
    text,
    own: id,
    ...(replyTo !== undefined && { replyTo }),
    ...(attachments.length > 0 && {
      files: attachments.map(({ filename, size, url }) => ({ name: filename.slice(0, 300), size, ref: url })),
    }),
  };
  return event;
}

/** A press or a form as an event. */
export function eventOfInteraction({ id, channel_id, guild_id, member, user = member?.user, message, data, type }: Interaction) {
  if (user === undefined) return undefined;
  const [filled] = data.components ?? [];
  const text = type === 5 ? (filled?.component ?? filled?.components?.[0])?.value : undefined;
  if (type === 5 && text === undefined) return undefined;
  const event: ChatEvent = {
    id,
    chat: channel_id,
    isGroup: guild_id !== undefined,
    from: { id: user.id, name: nameOf(user) },
    action: data.values?.[0] ?? data.custom_id,
    ...(message !== undefined && { message: message.id }),
    ...(text !== undefined && { text }),
  };
  return event;
}
