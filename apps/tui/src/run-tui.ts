import { standardPlatform } from "@askbox/core";
import type { TuiOptions } from "./tui-options.ts";

/**
 * Runs the terminal inbox until the user exits; resolves with the exit code: 0, or 1 if the terminal was closed.
 * Rejects if `connect` does. Needs a terminal on stdin and on the stream it draws on.
 */
export async function runTui(options: TuiOptions): Promise<number> {
  const { host = process, clock = standardPlatform(globalThis).clock, settings = {} } = options;
  const [{ runScreen }, known] = await Promise.all([import("./run-screen.ts"), settings]);
  return runScreen({ ...options, settings: known, host, clock });
}
