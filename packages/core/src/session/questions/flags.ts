import type { FieldFlag } from "./question-type.ts";
import { asked } from "./types.ts";

/** The flags of `askbox ask`, by the field they fill in. A field that several types have is explained for each. */
export const questionFlags: Readonly<Record<string, FieldFlag>> = Object.freeze(mergedFlags());

function mergedFlags(): Record<string, FieldFlag> {
  const merged: Record<string, FieldFlag & { abouts: string[] }> = {};
  for (const type of Object.values(asked)) {
    for (const [field, flag] of Object.entries(type.flags ?? {})) {
      const abouts = merged[field]?.abouts ?? [];
      merged[field] = { ...flag, abouts: abouts.includes(flag.about) ? abouts : [...abouts, flag.about] };
    }
  }
  return Object.fromEntries(Object.entries(merged).map(([field, { abouts, ...flag }]) => [field, { ...flag, about: either(abouts) }]));
}

/** `a`, `a, or b`, `a, b, or c`. */
function either(texts: readonly string[]): string {
  return [...texts.slice(0, -1), `${texts.length > 1 ? "or " : ""}${texts.at(-1)}`].join(", ");
}
