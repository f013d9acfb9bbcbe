import { cut } from "./cut.ts";

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
