/** In one array or object, and in all of a request: above what any honest one has, and below what takes a schema long to refuse. */
const maxItems = 2_000;
const maxValues = 20_000;

/** Whether JSON that was sent has too many values to be read: checking each, and saying what is wrong with it, takes time that the sender does not. */
export function isTooManyValues(value: unknown): boolean {
  let count = 0;
  const left: unknown[] = [value];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (typeof next !== "object" || next === null) continue;
    const items: unknown[] = Array.isArray(next) ? next : Object.values(next);
    count += items.length;
    if (items.length > maxItems || count > maxValues) return true;
    for (const item of items) if (typeof item === "object" && item !== null) left.push(item);
  }
  return false;
}
