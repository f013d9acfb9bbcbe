import { terminalJson } from "@askbox/terminal-text";
import type { Output } from "./io.ts";

export async function writeJson(output: Output, document: unknown): Promise<void> {
  await output.write(`${terminalJson(JSON.stringify(document, undefined, 2))}\n`);
}
