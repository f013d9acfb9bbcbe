import { terminalJson } from "@askbox/terminal-text";
import type { Output } from "./io.ts";

export async function writeJson(output: Output, document: unknown): Promise<void> {
  await writeJsonLine(output, JSON.stringify(document, undefined, 2));
}

/** Writes JSON text, in which only the spelling of hidden characters changes. */
export async function writeJsonLine(output: Output, json: string): Promise<void> {
  await output.write(`${terminalJson(json)}\n`);
}
