import type { ChatButton, ChatMessage, Part } from "../port.ts";

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
