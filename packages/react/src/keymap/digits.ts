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
