import { isTooManyValues } from "./session/json-weight.ts";

/** What engines have beyond ES2024: the text of a number as it was written. Without it, numbers are read as usual. */
interface ExactJson {
  parse(text: string, reviver?: (this: object, name: string, value: unknown, context?: { source?: string }) => unknown): unknown;
  rawJSON?(text: string): object;
  isRawJSON?(value: object): value is { rawJSON: string };
}
const json = JSON as unknown as ExactJson;

/** Whether `parseExact` can keep numbers in this engine. */
export const keepsNumbers = json.rawJSON !== undefined;

/**
 * Parses JSON without changing a number: one that would be written differently, such as a 64-bit integer or `1e999`, becomes an opaque value
 * that `JSON.stringify` writes as it was. Throws `SyntaxError`, also for an object that uses a name twice.
 */
export function parseExact(text: string): unknown {
  const { rawJSON } = json;
  let members = 0;
  const value = json.parse(text, function (_name, each, context) {
    if (!Array.isArray(this)) members += 1;
    const source = context?.source;
    if (typeof each !== "number" || rawJSON === undefined || source === undefined) return each;
    return JSON.stringify(each) === source ? each : rawJSON(source);
  });
  // Only the last of two members with the same name is in the value. The root is passed as the member of an object, too.
  if (members - 1 !== membersIn(text)) throw new SyntaxError("An object uses a name twice.");
  return value;
}

/** How many members the objects in valid JSON text have: its colons outside of strings. */
function membersIn(text: string): number {
  let count = 0;
  let isString = false;
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index];
    if (char === '"') isString = !isString;
    else if (isString && char === "\\") index += 1;
    else if (!isString && char === ":") count += 1;
  }
  return count;
}

/** JSON text that is the same for equal values only, regardless of the order of names; numbers are compared as written. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  // A value that writes itself, such as a date, is compared as it is written.
  const isWritten = (of: object) => json.isRawJSON?.(of) === true || ("toJSON" in of && typeof of.toJSON === "function");
  if (typeof value !== "object" || value === null || isWritten(value)) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, each]) => `${JSON.stringify(name)}:${canonicalJson(each)}`);
  return `{${members.join()}}`;
}

/** Whether `JSON.parse` and a schema keep everything that the text says: all numbers as written, each name once, and no `__proto__`. */
export function isExactJson(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    // Deeper values overflow the stack, and are refused anyway.
    if (isTooManyValues(value)) return true;
    const canonical = canonicalJson(value);
    return canonicalJson(parseExact(text)) === canonical && !canonical.includes('"__proto__":');
  } catch {
    return false;
  }
}

/**
 * Parses JSON as usual, and adds `inputJson` to each `action` with an `input`: the arguments as they were written. If an object uses a name
 * twice, each action becomes a text that is refused. `holder` is another name for an action. Throws `SyntaxError`.
 */
export function parseAskJson(text: string, holder = "action"): unknown {
  const value: unknown = JSON.parse(text);
  // A name can be written with escapes.
  if (!(text.includes(`"${holder}"`) || text.includes("\\u")) || isTooManyValues(value) || !holdsInput(value, holder)) return value;
  let exact: unknown;
  try {
    exact = parseExact(text);
  } catch {
    // The text is valid JSON, so a name is used twice.
  }
  return withInputJson(value, exact, holder);
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

function holdsInput(value: unknown, holder: string): boolean {
  if (!isObject(value)) return false;
  return Object.entries(value).some(([name, each]) => (name === holder && isObject(each)) || holdsInput(each, holder));
}

/** `exact` has the same structure; undefined if the text could not be parsed exactly. */
function withInputJson(value: unknown, exact: unknown, holder: string): unknown {
  if (!isObject(value)) return value;
  const parts = isObject(exact) ? exact : undefined;
  const entries = Object.entries(value).map(([name, each]): [string, unknown] => {
    const part = parts?.[name];
    if (name !== holder || !isObject(each)) return [name, withInputJson(each, part, holder)];
    if (!isObject(part)) return [name, "{"];
    return [name, isObject(each["input"]) ? { ...each, inputJson: JSON.stringify(part["input"]) } : each];
  });
  return Array.isArray(value) ? entries.map(([, each]) => each) : Object.fromEntries(entries);
}

/** The members of a JSON object, with opaque values for numbers that JavaScript cannot hold; undefined for any other text. */
export function exactMembers(text: string): Record<string, unknown> | undefined {
  try {
    const value = parseExact(text);
    return text.trimStart().startsWith("{") ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
