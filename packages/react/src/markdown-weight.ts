/** Characters of one paragraph, and of a whole text. */
const longestParagraph = 10_000;
const longestText = 200_000;

/**
 * Whether a text is to be shown as it is written: what reads markdown takes time with the square of a paragraph's length, and a person's screen would
 * stand still for seconds.
 */
export function isTooHeavyForMarkdown(text: string): boolean {
  return (
    text.length > longestText || (text.length > longestParagraph && text.split(/\n[ \t]*\n/).some((part) => part.length > longestParagraph))
  );
}
