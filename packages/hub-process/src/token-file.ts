import { existsSync } from "node:fs";
import type { Log } from "@askbox/core";
import { isPrivate, readJsonFile, writePrivateFile } from "@askbox/home";
import type { TokenStorage } from "@askbox/hub";

/** Named tokens in a file of this home that only its owner can read. A file that others could have written is ignored. */
export function tokenFile(path: string, log: Log): TokenStorage {
  return {
    load() {
      const { tokens } = (isPrivate(path) ? readJsonFile(path) : undefined) ?? {};
      if (Array.isArray(tokens)) return tokens;
      if (existsSync(path)) log("warn", "The named tokens are ignored: others can open their file, or it is damaged", { path });
      return [];
    },
    save: (tokens) => writePrivateFile(path, `${JSON.stringify({ tokens }, undefined, 2)}\n`),
  };
}
