import type { Mode } from "./channel.ts";

/** No notifications. */
export const none: Mode = { problems: () => [] };
