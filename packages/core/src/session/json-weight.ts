/** In one array or object, and in all of a request: above what any honest one has, and below what takes a schema long to refuse. */
const maxItems = 2_000;
const maxValues = 20_000;
/** Levels of arrays and objects in each other: above what any tool's arguments have, and below what overflows the stack of what walks through them. */
const maxDepth = 100;

/**
 * Whether JSON that was sent has too many values to be read, or nests them too deeply: checking each, and saying what is wrong with it, takes time that the
 * sender does not.
 */
export function isTooManyValues(value: unknown): boolean {
  let count = 0;
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) return true;
    const next: unknown[] = [];
    for (const each of level) {
      if (typeof each !== "object" || each === null) continue;
      const items: unknown[] = Array.isArray(each) ? each : Object.values(each);
      count += items.length;
      if (items.length > maxItems || count > maxValues) return true;
      next.push(...items);
    }
    level = next;
  }
  return false;
}
