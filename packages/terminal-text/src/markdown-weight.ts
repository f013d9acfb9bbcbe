/** The maximum number of characters in a paragraph and in a whole text. */
const maxParagraphLength = 10_000;
const maxTextLength = 200_000;

/**
 * Whether a text should be shown as written: parsing takes time quadratic in the length of a paragraph, and would block the
 * screen for seconds.
 */
export function isTooHeavyForMarkdown(text: string): boolean {
  return (
    text.length > maxTextLength ||
    (text.length > maxParagraphLength && text.split(/\n[ \t]*\n/).some((part) => part.length > maxParagraphLength))
  );
}
