/** The fields, without undefined ones. */
export function defined<Parts extends Record<string, unknown>>(parts: Parts): { [Key in keyof Parts]?: Exclude<Parts[Key], undefined> } {
  // keys: what the caller has written.
  const kept: Record<string, unknown> = {};
  for (const name of Object.keys(parts)) if (parts[name] !== undefined) kept[name] = parts[name];
  return kept as { [Key in keyof Parts]?: Exclude<Parts[Key], undefined> };
}

/**
 * What an object has under a name that comes from outside, such as the id of a question. A plain index would find `constructor` and
 * `toString`, which every object has.
 */
export function own<Value>(record: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}
