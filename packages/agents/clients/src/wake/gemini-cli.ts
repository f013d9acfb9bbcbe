import type { WakeWay } from "./port.ts";

/** Gemini CLI names no conversation to its servers, has no way to write into an open one, and no list of those that are open. */
export const geminiCliWay: WakeWay = {
  client: "gemini-cli",
  risk: "Two processes with one conversation lose a message of one of them, and nothing tells whether one has it.",
};
