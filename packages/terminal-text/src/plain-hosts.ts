/** In every runtime that askbox has; no library of types here has it. */
declare const URL: new (address: string) => { readonly host: string };

/** An address and its authority, without the punctuation of the sentence around it. */
const address = /https?:\/\/([^\s/?#\\<>()[\]{}"'`|,;!]+)(?:[/?#][^\s<>()]*)?/gi;

/**
 * Text whose web addresses say behind them, in brackets, which host they lead to where that is not what is written: letters beyond ASCII, which may look
 * like others, and a name before an @.
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
