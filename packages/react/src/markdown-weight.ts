/** Characters of one paragraph, and of a whole text. */
const maxParagraphLength = 10_000;
const maxTextLength = 200_000;

/**
 * Whether a text is to be shown as it is written: what reads markdown takes time with the square of a paragraph's length, and a person's screen would
 * stand still for seconds.
 */
export function isTooHeavyForMarkdown(text: string): boolean {
  return (
    text.length > maxTextLength ||
    (text.length > maxParagraphLength && text.split(/\n[ \t]*\n/).some((part) => part.length > maxParagraphLength))
  );
}
