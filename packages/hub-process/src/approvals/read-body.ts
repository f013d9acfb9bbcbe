import { isTooManyValues, parseExact } from "@askbox/core/schemas";

/** A request's text; of one that is larger than `maxBytes`, its beginning. */
export async function readText({ body }: Request, maxBytes: number): Promise<{ text: string; isWhole: boolean }> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body ?? []) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > maxBytes) break;
  }
  const isWhole = bytes <= maxBytes;
  return { text: new TextDecoder().decode(Buffer.concat(pieces).subarray(0, maxBytes)), isWhole };
}

/** The body as exact JSON; undefined if it is larger than `maxBytes` or has too many values, and null if it is invalid. */
export async function readBody(request: Request, maxBytes: number): Promise<unknown> {
  const { text, isWhole } = await readText(request, maxBytes);
  return isWhole ? exactBody(text, plainBody(text)) : undefined;
}

/** As usual, which takes a fraction of the time; undefined if it has too many values, and null if it is invalid. */
export function plainBody(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isTooManyValues(value) ? undefined : value;
  } catch {
    return null;
  }
}

/** What `plain` is, as exact JSON. */
export function exactBody(text: string, plain: unknown): unknown {
  try {
    return plain == null ? plain : parseExact(text);
  } catch {
    return null;
  }
}

/** Of the beginning of an object's JSON: its members that are whole, and the text of the one that is cut. */
export function wholeMembers(text: string): { whole: unknown; rest: string } {
  let [depth, end] = [0, 0];
  let isString = false;
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index];
    if (char === '"') isString = !isString;
    else if (isString) index += char === "\\" ? 1 : 0;
    else if (char === "{" || char === "[") depth += 1;
    else if (char === "}" || char === "]") depth -= 1;
    else if (char === "," && depth === 1) end = index;
  }
  const whole = `${text.slice(0, end)}}`;
  return { whole: exactBody(whole, plainBody(whole)), rest: text.slice(end + 1) };
}
