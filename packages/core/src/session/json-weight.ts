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

const [quotation, comma, bracket, backslash, brace] = [...'",[\\{'].map((sign) => sign.charCodeAt(0));

/**
 * Whether JSON text has more values than `isTooManyValues` accepts, as far as its commas and brackets tell: parsing millions of them takes half a
 * second, and a hundred times the memory of the text.
 */
export function isTooManyValuesIn(text: string): boolean {
  let [commas, openings] = [0, 0];
  let isString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === quotation) isString = !isString;
    else if (isString) index += code === backslash ? 1 : 0;
    else if (code === comma) commas += 1;
    else if (code === bracket || code === brace) openings += 1;
    // Between two commas is a value, and every bracket but the first begins one.
    if (commas >= maxValues || openings - 1 > maxValues) return true;
  }
  return false;
}
