import { isTooManyValues, parseExact } from "@askbox/core/schemas";

/** The body as exact JSON; undefined if it is larger than `maxBytes` or has too many values, and null if it is invalid. */
export async function readBody({ body }: Request, maxBytes: number): Promise<unknown> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body ?? []) {
    bytes += piece.length;
    if (bytes > maxBytes) return undefined;
    pieces.push(piece);
  }
  try {
    const text = new TextDecoder().decode(Buffer.concat(pieces));
    return isTooManyValues(JSON.parse(text)) ? undefined : parseExact(text);
  } catch {
    return null;
  }
}
