import { AskboxError, limits } from "@askbox/core";
import { cut } from "@askbox/core/questions";

/** The fields of a call's arguments. */
export const fieldsOf = (args: unknown): Record<string, unknown> => Object(args) as Record<string, unknown>;

/** A text; undefined if it is omitted, for which models also send null or an empty string. Throws `VALIDATION` for any other type. */
export function textField(fields: Record<string, unknown>, name: string): string | undefined {
  const value = fields[name] ?? "";
  if (typeof value !== "string") throw new AskboxError("VALIDATION", `${name} must be a string`);
  return value.trim() === "" ? undefined : value;
}

/** A text that is required. */
export function requiredField(fields: Record<string, unknown>, name: string): string {
  const text = textField(fields, name);
  if (text === undefined) throw new AskboxError("VALIDATION", `${name} is required`);
  return text;
}

/** A title of any length in a contract, as long as a set's title may be; undefined for none. */
export function asTitle(text: string | undefined): string | undefined {
  return cut(text ?? "", limits.titleLength.max) || undefined;
}

/** A list of texts, empty if it is omitted. */
export function textsField(fields: Record<string, unknown>, name: string): string[] {
  const value = fromJson(fields[name] ?? []);
  if (Array.isArray(value) && value.every((text) => typeof text === "string")) return value;
  throw new AskboxError("VALIDATION", `${name} must be an array of strings`);
}

/** The value of a JSON text, as some models send lists; anything else is returned unchanged. */
export function fromJson(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
