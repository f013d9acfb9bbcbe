import { cut } from "@askbox/core/questions";
import type { ChatButton, ChatMessage, Part, TextRequest } from "../port.ts";

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
