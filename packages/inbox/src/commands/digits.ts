/** The index of the option for a digit: 1–9 for the first nine, 0 for the tenth; undefined for other keys and beyond `count`. */
export function optionOfDigit(key: string, count: number): number | undefined {
  if (!/^[0-9]$/.test(key)) return undefined;
  const index = key === "0" ? 9 : Number(key) - 1;
  return index < count ? index : undefined;
}

/** The digit for an option, if there is one. */
export function digitOfOption(index: number): string | undefined {
  if (index < 0 || index > 9) return undefined;
  return index === 9 ? "0" : String(index + 1);
}

/**
 * The key for an option: a digit for each of the first ten, and a digit with a modifier for the next ten; empty for others. A page sees Shift
 * with a digit; a terminal only gets the character that it types, which differs between keyboards, so there it is Alt.
 */
export const keyOfOption = (index: number, modifier: "shift" | "alt"): string =>
  digitOfOption(index) ?? (index < 20 ? `${modifier}+${digitOfOption(index - 10)}` : "");

/** The index of the option for a key; undefined for other keys and beyond `count`. */
export function optionOfKey(key: string, count: number, modifier: "shift" | "alt"): number | undefined {
  const index = Array.from({ length: Math.min(20, count) }, (_, at) => keyOfOption(at, modifier)).indexOf(key);
  return index < 0 ? undefined : index;
}
