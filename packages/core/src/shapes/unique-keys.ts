/** The texts as unique keys of an object: a repeated text gets the suffix ` (2)`, and so on. */
export function uniqueKeys(texts: readonly string[]): string[] {
  const reserved = new Set(texts);
  const taken = new Set<string>();
  return texts.map((text) => {
    let key = text;
    for (let count = 2; taken.has(key) || (key !== text && reserved.has(key)); count += 1) key = `${text} (${count})`;
    taken.add(key);
    return key;
  });
}
