import type { Mode } from "./channel.ts";

/** Nobody is called: people look by themselves. */
export const none: Mode = { problems: () => [] };
