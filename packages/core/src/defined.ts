/** The fields, without undefined ones. */
export function defined<Parts extends Record<string, unknown>>(parts: Parts): { [Key in keyof Parts]?: Exclude<Parts[Key], undefined> } {
  // keys: what the caller has written.
  const kept: Record<string, unknown> = {};
  for (const name of Object.keys(parts)) if (parts[name] !== undefined) kept[name] = parts[name];
  return kept as { [Key in keyof Parts]?: Exclude<Parts[Key], undefined> };
}
