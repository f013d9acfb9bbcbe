import { readFile } from "node:fs/promises";
import { AskboxError } from "@askbox/core";
import { parseAskJson } from "@askbox/core/schemas";
import type { Input } from "./io.ts";
import { usageError } from "./usage.ts";

/** Reads a JSON document, with exact arguments of its actions, from a file, or from standard input for `-`. */
export async function readJson(file: string, stdin: Input): Promise<unknown> {
  const text = file === "-" ? await stdin.text() : await readText(file);
  try {
    return parseAskJson(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    const source = file === "-" ? "Standard input" : file;
    throw usageError(`${source} is not valid JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new AskboxError("VALIDATION", `${file} can't be read; check the path and its permissions.`, { cause: error });
  }
}
