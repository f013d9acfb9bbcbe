/** Available in every runtime that askbox supports, but not in the type libraries here. */
declare const URL: new (address: string) => { readonly host: string };

/** An address and its authority, without the surrounding punctuation. */
const address = /https?:\/\/([^\s/?#\\<>()[\]{}"'`|,;!]+)(?:[/?#][^\s<>()]*)?/gi;

/**
 * Appends the actual host in brackets to web addresses if it differs from what is written: non-ASCII letters, which may look like others,
 * and a name before an @.
 */
export function withPlainHosts(text: string): string {
  return text.replace(address, (whole, written: string) => {
    const host = hostOf(`http://${written}`);
    return host === undefined || written.toLowerCase().startsWith(host) ? whole : `${whole} [${host}]`;
  });
}

function hostOf(url: string): string | undefined {
  try {
    return new URL(url).host;
  } catch {
    return undefined;
  }
}

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
