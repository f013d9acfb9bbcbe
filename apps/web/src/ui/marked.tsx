import type { ReactNode } from "react";

/** A text with each of the words marked, ignoring case; of two that overlap, the one that begins first. */
export function Marked({ text, words }: { text: string; words: readonly string[] }): ReactNode {
  const lower = text.toLowerCase();
  // A letter that changes its length with its case would move the marks.
  if (lower.length !== text.length) return text;
  const parts: ReactNode[] = [];
  let end = 0;
  const next = words.map((word) => lower.indexOf(word));
  for (;;) {
    let first = -1;
    for (const [index, word] of words.entries()) {
      if ((next[index] ?? -1) !== -1 && (next[index] as number) < end) next[index] = lower.indexOf(word, end);
      if (next[index] !== -1 && (first === -1 || (next[index] as number) < (next[first] as number))) first = index;
    }
    if (first === -1) break;
    const at = next[first] as number;
    parts.push(text.slice(end, at));
    end = at + (words[first] as string).length;
    parts.push(<mark key={at}>{text.slice(at, end)}</mark>);
  }
  return parts.length === 0 ? text : [...parts, text.slice(end)];
}
