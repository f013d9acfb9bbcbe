import { readFile } from "node:fs/promises";
import { AskboxError } from "@askbox/core";
import { isExactJson, parseAskJson } from "@askbox/core/schemas";
import type { Input } from "./io.ts";
import { usageError } from "./usage.ts";

/** Reads a JSON document, with exact arguments of its actions, from a file, or from standard input for `-`. `exact`: rejects what would not be passed on as written. `within`: how long standard input may take, in ms. */
export async function readJson(
  file: string,
  stdin: Input,
  { exact = false, within }: { exact?: boolean; within?: number | undefined } = {},
): Promise<unknown> {
  const text = (file === "-" ? await stdin.text({ json: true, within }) : await readText(file)).replace(/^\uFEFF/, "");
  const source = file === "-" ? "Standard input" : file;
  let value: unknown;
  try {
    value = parseAskJson(text);
  } catch (error) {
    throw usageError(`${source} is not valid JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (exact && !isExactJson(text)) throw usageError(`${source} has a number that would be changed, a name twice or __proto__.`);
  return value;
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new AskboxError("VALIDATION", `${file} can't be read; check the path and its permissions.`, { cause: error });
  }
}
