/**
 * The beginning of a text, at most `max` UTF-16 units with its ending. A character of two units is left out rather than halved: half of one
 * is shown as U+FFFD, or refused where text must be well-formed.
 */
export function cut(text: string, max: number, ending = "…"): string {
  if (text.length <= max) return text;
  return `${text.slice(0, Math.max(0, max - ending.length)).replace(/[\ud800-\udbff]$/, "")}${ending}`;
}

const longest = 60;

/**
 * Quotes input in a sentence: a string in quotes, shortened to 60 characters so that the advice after it stays readable. Other values are
 * only named by type.
 */
export function quote(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.length > longest ? cut(value, longest - 2) : value);
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" && value !== null ? "an object" : String(value);
}

/** `3 bytes`, `12 KB`, `3.4 MB`. */
export function bytesText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} ${bytes === 1 ? "byte" : "bytes"}`;
  if (bytes < 999_500) return `${Math.round(bytes / 1_000)} KB`;
  const [amount, unit] = bytes < 999_500_000 ? [bytes / 1_000_000, "MB"] : [bytes / 1_000_000_000, "GB"];
  return `${Number(amount.toFixed(1))} ${unit}`;
}

/** A word for a POSIX shell, quoted if necessary. Undefined for text that can't be pasted into a terminal safely. */
export function shellWord(text: string): string | undefined {
  if (/[\p{C}\p{Zl}\p{Zp}]/u.test(text)) return undefined;
  return /^[\w./:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
