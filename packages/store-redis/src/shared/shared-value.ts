import { exact } from "../values.ts";

/** How a value that hubs share is kept: behind the name of the write that made it, as JSON; nothing stands for one that was removed. */
export const sharedValue = Object.freeze({
  key: (prefix: string, key: string, kind: string): string => `{${prefix}}:${kind}:${exact(key)}`,
  json: (value: string | undefined): string => (value === undefined ? "" : JSON.stringify(value)),
});

/** What is stored, read back. One that was removed is empty for a while; an empty text has its quotes. */
export function sharedValueOf(stored: string | null): string | undefined {
  const json = stored === null ? "" : stored.slice(stored.indexOf("\n") + 1);
  return json === "" ? undefined : (JSON.parse(json) as string);
}
