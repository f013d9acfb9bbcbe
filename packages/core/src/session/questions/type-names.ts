import { asked, questionTypes } from "./types.ts";

const typeNames = new Map(questionTypes.flatMap((name) => (asked[name].aliases ?? []).map((alias) => [alias, name])));

/**
 * The type that an agent means, by askbox's name or another tool's; undefined for the contract's default. Options without a type are a
 * choice. If the word for a choice doesn't tell how many, `many` does.
 */
export function typeNamed(sent: unknown, { many, hasOptions }: { many: boolean; hasOptions: boolean }): unknown {
  const type = typeof sent === "string" ? (typeNames.get(sent.trim().toLowerCase()) ?? sent) : sent;
  if (type === undefined && !hasOptions) return undefined;
  return (type === undefined || type === "select") && many ? "multi-select" : (type ?? "select");
}
