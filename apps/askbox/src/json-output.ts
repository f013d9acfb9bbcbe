import type { Output } from "./io.ts";
import { terminalJson } from "./terminal-text.ts";

/** Prints one JSON document. */
export async function writeJson(output: Output, document: unknown): Promise<void> {
  await output.write(`${terminalJson(JSON.stringify(document, undefined, 2))}\n`);
}
