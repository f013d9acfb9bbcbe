import { statSync } from "node:fs";

/** Distinguishes a file from another of the same name; undefined if there is none. */
export function fileIdentity(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.dev}:${found.ino}`;
}
