import { cut } from "@askbox/core/questions";
/** Cuts text to `length` characters and says how many are missing. */
export function excerpt(text: string, length: number): string {
  if (text.length <= length) return text;
  const kept = cut(text, length, "");
  return `${kept}… (${(text.length - kept.length).toLocaleString("en")} more characters)`;
}
