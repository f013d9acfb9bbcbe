const encoder = new TextEncoder();

/** Length in UTF-8. */
export function byteLength(text: string): number {
  return encoder.encode(text).length;
}
