/**
 * The maximum number of values in one array or object, and in a whole request: more than an honest request has, and few enough to validate
 * quickly.
 */
const maxItems = 2_000;
const maxValues = 20_000;
/**
 * The maximum nesting depth of arrays and objects: more than any tool's arguments need, and too little to overflow the stack of recursive
 * code.
 */
const maxDepth = 100;

/**
 * Whether JSON input has too many values, or is nested too deeply: validating it and describing what is wrong would take much longer than
 * sending it.
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
