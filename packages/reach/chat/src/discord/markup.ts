import type { Part } from "../port.ts";

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
