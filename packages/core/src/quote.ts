const longest = 60;

/**
 * What somebody sent, as a sentence repeats it: a text in quotes, of one above 60 characters its beginning, so that what to do about it can still be
 * read. What holds other values is only named.
 */
export function quote(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.length > longest ? `${value.slice(0, longest - 3).toWellFormed()}…` : value);
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" && value !== null ? "an object" : String(value);
}
