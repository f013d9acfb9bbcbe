import { exact } from "../values.ts";

/** The stored form of a shared value: the name of the write that made it, then the JSON, which is empty for a removed value. */
export const sharedValue = Object.freeze({
  key: (prefix: string, key: string, kind: string): string => `{${prefix}}:${kind}:${exact(key)}`,
  json: (value: string | undefined): string => (value === undefined ? "" : JSON.stringify(value)),
});

/** Parses a stored value. A removed one is empty for a while; an empty string has its quotes. */
export function sharedValueOf(stored: string | null): string | undefined {
  const json = stored === null ? "" : stored.slice(stored.indexOf("\n") + 1);
  return json === "" ? undefined : (JSON.parse(json) as string);
}
