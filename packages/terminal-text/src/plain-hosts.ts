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
