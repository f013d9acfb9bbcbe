/**
 * Where each of some things is shown, counted from the bottom: each keeps its place until it goes, and a new one takes the lowest that is
 * free, so that none ever moves.
 */
export function placed(keys: readonly string[], before: ReadonlyMap<string, number>): Map<string, number> {
  const slots = new Map([...before].filter(([key]) => keys.includes(key)));
  for (const key of keys) {
    if (slots.has(key)) continue;
    const taken = new Set(slots.values());
    let free = 0;
    while (taken.has(free)) free += 1;
    slots.set(key, free);
  }
  return slots;
}
