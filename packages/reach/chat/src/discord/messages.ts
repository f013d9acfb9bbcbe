import { cut, maxFiles } from "@askbox/core/questions";
import * as z from "zod";
import type { ChatButton, ChatEvent, ChatMessage, Part, TextRequest } from "../port.ts";

/** What Discord shows and reports: a message as its components and markup, and what people wrote and pressed as events. */

/** Numbers of the API: kinds of components, looks of buttons, flags of messages (docs.discord.com/developers/components/reference). */
const kinds = { row: 1, button: 2, menu: 3, input: 4, label: 18 };
const looks = { plain: 2, good: 3, bad: 4, link: 5 };
/** No previews of links; and shown only to the person who pressed. */
export const flags = { noPreviews: 4, ephemeral: 64 };

/** Rows of a message, buttons of a row, and options of a menu. */
export const [maxRows, maxButtons, maxOptions] = [5, 5, 25];
const maxLabel = 80;
const maxLink = 512;

/** Nobody is notified by what a message contains. */
const noMentions = { parse: [], replied_user: false };

/** What a message is, without where it goes. */
export function bodyOf(message: ChatMessage): object {
  return {
    content: contentOf(message.parts),
    components: rowsOf(message),
    allowed_mentions: noMentions,
    flags: flags.noPreviews,
    ...(message.file !== undefined && { attachments: [{ id: 0, filename: message.file.name }] }),
  };
}

/** What only the person reads who pressed. */
export const whisper = (text: string): object => ({
  content: contentOf([{ as: "text", text: cut(text, 900) }]),
  allowed_mentions: noMentions,
  flags: flags.ephemeral | flags.noPreviews,
});

/** A form with one field. */
export const formOf = ({ action, title }: TextRequest): object => ({
  custom_id: action,
  title: cut(title, 45),
  components: [
    {
      type: kinds.label,
      label: "Your text",
      ...(title.length > 45 && { description: cut(title, 100) }),
      component: { type: kinds.input, custom_id: "text", style: 2, min_length: 1, max_length: 4_000, required: true },
    },
  ],
});

function rowsOf({ rows, menu }: ChatMessage): object[] {
  const options = menu?.options ?? [];
  const menus = Array.from({ length: Math.ceil(options.length / maxOptions) }, (_, index) =>
    options.slice(index * maxOptions, (index + 1) * maxOptions),
  );
  const buttons = rows.map((row) => row.filter(({ link }) => link === undefined || link.length <= maxLink)).filter((row) => row.length > 0);
  return [
    ...menus.map((some, index) => row([menuOf(some, index, menus.length > 1 ? `${menu?.placeholder} (${index + 1})` : menu?.placeholder)])),
    ...fitting(buttons, maxRows - menus.length).map((some) => row(some.map(buttonOf))),
  ];
}

const row = (components: object[]) => ({ type: kinds.row, components });

/** As many rows as there may be: neighbours share one where there are too many. */
function fitting(rows: readonly (readonly ChatButton[])[], max: number): readonly (readonly ChatButton[])[] {
  if (rows.length <= max && rows.every((each) => each.length <= maxButtons)) return rows;
  const all = rows.flat();
  return Array.from({ length: Math.ceil(all.length / maxButtons) }, (_, index) => all.slice(index * maxButtons, (index + 1) * maxButtons));
}

const menuOf = (options: readonly ChatButton[], index: number, placeholder: string | undefined) => ({
  type: kinds.menu,
  custom_id: `menu${index}`,
  ...(placeholder !== undefined && { placeholder }),
  options: options.map(({ id, label }) => ({ label: cut(label, 100), value: id })),
});

function buttonOf({ id, label, look, link }: ChatButton): object {
  const named = { type: kinds.button, label: cut(label, maxLabel) };
  return link === undefined ? { ...named, style: looks[look ?? "plain"], custom_id: id } : { ...named, style: looks.link, url: link };
}

/** An invisible character without width, which separates what Discord would read as one. */
const joiner = "\u2060";

/**
 * Text that Discord shows as it is (support.discord.com, Markdown Text 101): a backslash before what would format, mention, hide or become an
 * emoji, and before what makes a heading, list or quotation at the beginning of a line.
 */
export function escaped(text: string): string {
  return (
    text
      .replace(/[\\*_~`|<[\]]/g, "\\$&")
      .replace(/:(?=\S)/g, "\\:")
      // linear: a run of spaces is only tried from the beginning of a line, and digits are at most nine.
      .replace(/^([ \t]*)([-#>+]|\d{1,9}(?=[.)]))/gm, (_line, space: string, mark: string) =>
        /\d/.test(mark) ? `${space}${mark}\\` : `${space}\\${mark}`,
      )
  );
}

/** A block whose text nothing ends, and which keeps its first and last line break. */
function block(text: string): string {
  const inner = text
    .replace(/`(?=`)/g, `\`${joiner}`)
    .replace(/^(?=\n)/, joiner)
    .replace(/\n$/, `\n${joiner}`);
  return `\`\`\`\n${inner}\n\`\`\``;
}

const marked = {
  bold: (text) => `**${escaped(text)}**`,
  code: block,
  text: escaped,
} as const satisfies Record<Part["as"], (text: string) => string>;

/** A message's content. */
export const contentOf = (parts: readonly Part[]): string =>
  parts
    .filter(({ text }) => text.trim() !== "")
    .map(({ as, text }) => marked[as](text))
    .join("\n");

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
