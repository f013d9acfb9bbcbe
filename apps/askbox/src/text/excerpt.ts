/** Cuts text to `length` characters and says how many are missing. */
export function excerpt(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, length)}… (${(text.length - length).toLocaleString("en")} more characters)`;
}
