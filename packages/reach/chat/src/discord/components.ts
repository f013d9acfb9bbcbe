import { cut } from "@askbox/core/questions";
import type { ChatButton, ChatMessage, TextRequest } from "../port.ts";
import { contentOf } from "./markup.ts";

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
