import { readFileSync } from "node:fs";
import { join, posix, relative } from "node:path";
import { errorCodes } from "@askbox/core";
import { parseSync } from "rolldown/utils";
import { libraries, publicPackages, root, type WorkspacePackage } from "./workspace.ts";

const pinned = join(root, "tests/published/pinned/public-api.txt");
export const pinnedPath = relative(root, pinned);
export const readPinned = (): string[] => readFileSync(pinned, "utf8").trimEnd().split("\n");

/** The entries with code: their specifier and source. */
export function sourcesOf({ name, folder, manifest }: WorkspacePackage): [specifier: string, path: string][] {
  return Object.entries(manifest.exports ?? {}).flatMap(([entry, target]) => {
    const source = typeof target === "string" ? undefined : target["askbox-source"];
    return source === undefined ? [] : [[posix.join(name, entry), join(root, folder, source)]];
  });
}

/** A module's exports, such as `value createHub` and `type Hub`; a class is a value. Throws for anything without a name, such as `export *`. */
export function exportsOf(path: string): string[] {
  const { errors, module } = parseSync(path, readFileSync(path, "utf8"), { lang: "ts" });
  if (errors.length > 0) throw new Error(`${path} cannot be read: ${errors[0]?.message}`);
  return module.staticExports
    .flatMap(({ entries }) => entries)
    .map(({ exportName, isType }) => {
      if (exportName.kind !== "Name") throw new Error(`${path} must export by name and nothing else.`);
      return `${isType ? "type" : "value"} ${exportName.name}`;
    })
    .sort();
}

/** The public API, which cannot change without users noticing: one line per item, as currently in the sources. */
export function currentApi(): string[] {
  return [
    ...libraries.flatMap(sourcesOf).flatMap(([specifier, path]) => exportsOf(path).map((line) => `${specifier}: ${line}`)),
    ...publicPackages.flatMap(({ name, manifest: { bin } }) => Object.keys(bin ?? {}).map((command) => `${name}: command ${command}`)),
    ...Object.entries(errorCodes).map(([code, { fixedBy }]) => `error code ${code}: fixed by ${fixedBy}`),
  ];
}
