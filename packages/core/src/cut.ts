/**
 * The beginning of a text, at most `max` UTF-16 units with its ending. A character of two units is left out rather than halved: half of one
 * is shown as U+FFFD, or refused where text must be well-formed.
 */
export function cut(text: string, max: number, ending = "…"): string {
  if (text.length <= max) return text;
  return `${text.slice(0, Math.max(0, max - ending.length)).replace(/[\ud800-\udbff]$/, "")}${ending}`;
}
