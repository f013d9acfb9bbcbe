/** Truncates to `length` UTF-16 units, with an ellipsis, without splitting a character. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const kept = text.slice(0, length - 1);
  return `${/[\uD800-\uDBFF]$/.test(kept) ? kept.slice(0, -1) : kept}…`;
}
