import { standardPlatform } from "@askbox/core";
import type { TuiOptions } from "./tui-options.ts";

/**
 * Runs the terminal inbox until the person leaves it; resolves with the exit code: 0, or 1 when the terminal was taken away.
 * Rejects with what `connect` rejects with. Needs a terminal on stdin and on what it draws on.
 */
export async function runTui(options: TuiOptions): Promise<number> {
  const { host = process, clock = standardPlatform(globalThis).clock, settings = {} } = options;
  const [{ runScreen }, known] = await Promise.all([import("./run-screen.ts"), settings]);
  return runScreen({ ...options, settings: known, host, clock });
}
