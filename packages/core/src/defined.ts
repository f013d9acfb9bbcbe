/** The fields, without undefined ones. */
export function defined<Parts extends Record<string, unknown>>(parts: Parts): { [Key in keyof Parts]?: Exclude<Parts[Key], undefined> } {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Parts]?: Exclude<Parts[Key], undefined>;
  };
}
